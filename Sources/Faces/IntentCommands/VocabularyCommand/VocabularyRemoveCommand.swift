import ArgumentParser
import IntentEvents
import IntentKit

/// `intentd vocabulary remove`: removes all vocabularies of a user, as at logout.
struct VocabularyRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove all vocabularies of a user, as at logout."
    )

    @Option(help: "The user's id.", transform: IdentityArgument.read)
    var user: String

    @OptionGroup var `operator`: OperatorOptions
    @OptionGroup var output: JSONOption

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let data: JSONValue = ["user": ["id": .string(self.user)]]
        let position = try await VocabularyChange.write(
            .vocabularyRemoved,
            data: data,
            by: self.operator.value,
            configuration
        )
        if self.output.json {
            StandardOutput.print(["user": .string(self.user), "removedAt": .string(position.description)])
        } else {
            StandardOutput.print("\(self.user): all vocabularies removed as of \(position)")
        }
    }
}
