import ArgumentParser

/// `intentd vocabulary`: a user's own words, as an app would send them.
struct VocabularyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vocabulary",
        abstract: "Manage a user's vocabularies, or show the global ones.",
        subcommands: [VocabularySetCommand.self, VocabularyRemoveCommand.self, VocabularyShowCommand.self]
    )
}
