import ArgumentParser
import IntentEvents
import IntentKit
import IntentOperations

/// `intentd vocabulary set`: replaces a user's vocabulary of one type.
struct VocabularySetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Replace a user's vocabulary of one type.",
        discussion: """
            List the terms by importance, the most important first: one per line, as plain text or as JSON \
            ({"spokenPhrase":…,"pronunciationHint":…,"vocabularyIdentifier":…}), or all in one JSON array. They apply from \
            the user's next event. An empty file leaves the type without terms.
            """
    )

    @Argument(help: ArgumentHelp("The file, or - for standard input.", valueName: "file"))
    var file = "-"

    @Option(help: "The user's id.", transform: IdentityArgument.read)
    var user: String

    @Option(help: ArgumentHelp("The vocabulary type: contactName, workoutActivityName, …"), transform: Self.type)
    var type: VocabularyStringType

    @OptionGroup var `operator`: OperatorOptions
    @OptionGroup var output: JSONOption

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    static func type(_ text: String) throws -> VocabularyStringType {
        if let type = VocabularyStringType(rawValue: text) { return type }
        let names = VocabularyStringType.allCases.map(\.rawValue)
        throw ValidationError(
            "unknown vocabulary type '\(text)'\(NearMiss.hint(text, among: names)). "
                + "The types are \(names.joined(separator: ", "))"
        )
    }

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let terms = try await VocabularyTerms.read(self.file)
        let data: JSONValue = [
            "user": ["id": .string(self.user)], "type": .string(self.type.rawValue), "strings": .array(terms),
        ]
        let position = try await VocabularyChange.write(
            .vocabularyReplaced,
            data: data,
            by: self.operator.value,
            configuration
        )
        if self.output.json {
            StandardOutput.print([
                "user": .string(self.user), "type": .string(self.type.rawValue),
                "count": .integer(Int64(terms.count)), "version": .string(position.description),
            ])
        } else {
            StandardOutput.print(
                "\(self.user): \(self.type.rawValue) has \(terms.count) terms, version \(position)"
            )
        }
    }
}
