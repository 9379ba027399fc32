import ArgumentParser
import Foundation
import IntentKit
import IntentOperations

/// `intentd config check`: all problems, with file and line.
struct ConfigCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check configuration, declared intents, vocabularies, and prompts. Reports errors with file and line."
    )

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    /// Files for librdkafka that are missing here; they may be on the workers' machines.
    static func missingFiles(_ configuration: Configuration) -> [String] {
        configuration.kafka.values.sorted { $0.name < $1.name }
            .filter { property in
                let isFile = property.name.hasSuffix(".location") || property.name == "sasl.kerberos.keytab"
                return isFile && property.value != "probe"
                    && !FileManager.default.isReadableFile(atPath: property.value)
            }
            .map { "\($0.origin): kafka.\($0.name): no such file, or it cannot be read" }
    }

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let intents = try IntentSet.checked(configuration)
        _ = try Webhook(configuration)
        for warning in intents.warnings { StandardError.report("warning: \(warning)") }
        for warning in Self.missingFiles(configuration) { StandardError.report("warning: \(warning)") }
        let files = intents.definitionFiles
        let names = intents.registry.intentNames
        StandardOutput.print(
            "The configuration is valid. \(names.count == 1 ? "1 intent" : "\(names.count) intents"): \(names.prefix(20).joined(separator: ", "))"
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
