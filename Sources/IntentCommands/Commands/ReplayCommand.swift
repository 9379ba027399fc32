import ArgumentParser
import IntentStore

/// `intentd replay`: rebuilds a record database from the topics (SPEC R45).
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Rebuild a record database from the topics."
    )

    @Option(help: ArgumentHelp("The file to make; nothing may be there.", valueName: "file"))
    var into: String

    @OptionGroup var common: CommonOptions
    @OptionGroup var brokers: BrokersOption

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let count = try await LogAccess.find(configuration)
            .use { log in
                try await RecordDatabase.rebuild(at: self.into, from: log, prefix: configuration.prefix)
            }
        StandardOutput.print("\(self.into) holds \(count) events")
    }
}
