import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("vocabulary set, show and remove, over the Kafka protocol")
struct VocabularyCommandTests {
    @Test(
        "What set sends is what show reads, until remove (R37, behaviours 75, 77, 79)",
        .timeLimit(.minutes(1))
    )
    func setShowAndRemoveRoundTrip() async throws {
        let directory = try TemporaryDirectory()
        let first = try directory.write("Celestra\nDiana\n", to: "first.txt")
        let second = try directory.write("{\"spokenPhrase\":\"Diana\",\"vocabularyIdentifier\":\"d1\"}\n", to: "second")
        var configuration = Configuration()
        configuration.values[Setting.data.key] = .init(value: .text(directory.path), origin: .byDefault)
        configuration.values[Setting.logLevel.key] = .init(value: .text("critical"), origin: .byDefault)
        let intents = try IntentSet(configuration, sources: HandlerSources())
        let access = try await LogAccess.start(configuration, listen: nil)
        try await access.use { log in
            let assembly = try await Assembly.make(configuration, log: log, intents: intents, creatingTopics: true)
            let services = try assembly.services([.resolve], name: "test", lanes: 1, isScripted: false)
            try await assembly.run(services)
                .during {
                    let options = ["--user", "anna", "--data", directory.path]
                    let set = ["vocabulary", "set", "--type", "contactName"] + options
                    try #require(await RootCommand.run(set + [first]) == 0)
                    let deployment = assembly.deployment
                    let plain = try await Self.vocabulary(of: deployment, from: log) { $0 != nil }
                    #expect(plain?.entries.map(\.spokenPhrase) == ["Celestra", "Diana"])
                    try #require(await RootCommand.run(set + [second, "--json"]) == 0)
                    let replaced = try await Self.vocabulary(of: deployment, from: log) { $0?.entries.count == 1 }
                    #expect(replaced?.entries.first?.vocabularyIdentifier == "d1")
                    #expect(replaced?.version != plain?.version)
                    #expect(await RootCommand.run(["vocabulary", "show"] + options) == 0)
                    try #require(await RootCommand.run(["vocabulary", "remove"] + options) == 0)
                    #expect(try await Self.vocabulary(of: deployment, from: log) { $0 == nil } == nil)
                }
        }
    }

    /// Looks until anna's vocabulary is as it should be: the stage writes its state in its own time.
    private static func vocabulary(
        of deployment: Deployment,
        from log: any EventLog,
        where fits: (UserVocabulary?) -> Bool
    ) async throws -> UserVocabulary? {
        try await eventually(within: .seconds(15), fits) {
            try await UserVocabularies.read("anna", of: deployment, from: log)[.contactName]
        }
    }
}
