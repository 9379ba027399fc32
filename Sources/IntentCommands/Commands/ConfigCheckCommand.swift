import ArgumentParser
import IntentKit

/// `intentd config check`: everything that is wrong, with file and line.
struct ConfigCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check configuration, declared intents, vocabularies and prompts: what is wrong, with file and line."
    )

    @OptionGroup var common: CommonOptions
    @OptionGroup var brokers: BrokersOption

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        try RecordRetention(configuration).check(configuration)
        let intents = try IntentSet(configuration)
        try intents.checkSecrets()
        for warning in intents.warnings { StandardError.report("warning: \(warning)") }
        let files = intents.definitionFiles
        let names = intents.registry.intentNames
        StandardOutput.print(
            "The configuration is right. \(names.count) intents: \(names.prefix(20).joined(separator: ", "))"
                + (names.count > 20 ? ", …" : "")
        )
        if !files.isEmpty { StandardOutput.print("Definitions: \(files.joined(separator: ", "))") }
        if !intents.vocabularyFiles.isEmpty {
            StandardOutput.print("Vocabularies: \(intents.vocabularyFiles.joined(separator: ", "))")
        }
        if !intents.promptFiles.isEmpty {
            StandardOutput.print("Prompts: \(intents.promptFiles.joined(separator: ", "))")
        }
    }
}
