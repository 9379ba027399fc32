import IntentLab
import IntentRuntime

@testable import IntentCommands
@testable import IntentOperations

/// A deployment of one declared intent, all of it in this process, on an embedded broker of its own.
enum LemonadeStand {
    /// Assembles it while the body runs.
    ///
    /// - Parameters:
    ///   - definition: The declared intent.
    ///   - listening: The setting of an address that uses a free port.
    ///   - body: Runs the services that it needs.
    /// - Throws: What the body throws, and what starting the broker does.
    static func open(
        _ definition: String,
        listening: Setting,
        _ body: @escaping @Sendable (Assembly, Configuration, IntentSet) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(definition, to: "lemonade.yaml")
        var configuration = Configuration()
        configuration.values[Setting.data.key] = .init(value: .text(directory.path), origin: .byDefault)
        configuration.values[Setting.definitions.key] = .init(value: .list([file]), origin: .byDefault)
        configuration.values[Setting.logLevel.key] = .init(value: .text("critical"), origin: .byDefault)
        configuration.values[listening.key] = .init(value: .listen(.anyLoopbackPort), origin: .byDefault)
        let intents = try IntentSet(configuration, sources: HandlerSources())
        let access = try await LogAccess.start(configuration, listen: nil)
        try await access.use { [configuration] log in
            let assembly = try await Assembly.make(configuration, log: log, intents: intents, creatingTopics: true)
            try await body(assembly, configuration, intents)
        }
        withExtendedLifetime(directory) {}
    }
}
