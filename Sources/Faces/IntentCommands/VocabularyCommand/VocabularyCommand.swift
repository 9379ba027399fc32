import ArgumentParser

/// `intentd vocabulary`: a user's own words, as an app would send them.
struct VocabularyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vocabulary",
        abstract: "Replace, remove or show a user's own words, or show those that all users share.",
        subcommands: [VocabularySetCommand.self, VocabularyRemoveCommand.self, VocabularyShowCommand.self]
    )
}
