import DeclaredIntents
import Foundation
import IntentEvents
import IntentKit
import IntentScenarios

/// The corpus of real conversations, where it is available: it is not part of the project.
enum Corpus {
    /// Its location: a folder beside the package.
    static let directory = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "shared/corpus/sgd")

    /// Whether it is available.
    static var isThere: Bool { FileManager.default.fileExists(atPath: Self.directory.path + "/scenarios.jsonl") }

    /// Its scenarios.
    static func scenarios() throws -> ScenarioFile {
        ScenarioFile(parsing: try Data(contentsOf: Self.directory.appending(path: "scenarios.jsonl")))
    }

    /// Its intents.
    static func definitions() throws -> DefinitionFile {
        let text = try Data(contentsOf: Self.directory.appending(path: "intents.json"))
        return DefinitionFile(try JSONValue(parsing: text))
    }
}
