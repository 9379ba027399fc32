#if DEBUG || FUZZING
@testable import DeclaredIntents
import Foundation

@testable import IntentOperations
@testable import IntentKit

/// A file written by somebody, read as definitions, as a vocabulary and as prompts: whatever its content, it is
/// accepted or its problems are reported, with their lines.
///
/// The first byte determines the format: `p` a property list, `j` JSON, anything else YAML.
struct FuzzedFile {
    /// A defect that was found.
    struct Defect: Error, CustomStringConvertible {
        var description: String
    }

    private let json: JSONValue
    private let line: (JSONPath) -> Int?

    /// Reads the file.
    /// - Throws: ``OperationError`` with the reason why it cannot be read.
    private init(_ input: UnsafeRawBufferPointer) throws(OperationError) {
        let bytes = input.dropFirst()
        switch input.first {
        case UInt8(ascii: "p"):
            self.json = try PropertyListFile.json("f.plist", Data(bytes))
            let lines = PropertyListLines(bytes.starts(with: Array("bplist".utf8)) ? [] : Array(bytes))
            self.line = { lines.line(of: $0) }
        case UInt8(ascii: "j"):
            let text = String(decoding: bytes, as: UTF8.self)
            do throws(JSONParsingError) {
                self.json = try JSONValue(parsing: text)
            } catch {
                throw OperationError(.configuration, "f.json: \(error)")
            }
            let file = try? YAMLFile("f.json", text: text, invalid: .configuration)
            self.line = { path in file.map { $0.line(of: path) } }
        default:
            let text = String(decoding: bytes, as: UTF8.self)
            let file = try YAMLFile("f.yaml", text: text, invalid: .configuration)
            self.json = file.json
            self.line = { file.line(of: $0) }
        }
    }

    /// Reads an input in every way; returns whether it was a file at all.
    @discardableResult
    static func play(_ input: UnsafeRawBufferPointer) throws -> Bool {
        let file: FuzzedFile
        do throws(OperationError) {
            file = try FuzzedFile(input)
        } catch {
            guard !error.message.isEmpty else { throw Defect(description: "a file is refused without a word") }
            return false
        }
        let definitions = DefinitionFile(file.json)
        try file.check(definitions.problems)
        guard !definitions.definitions.isEmpty || !definitions.problems.isEmpty || file.json.array?.isEmpty == true
        else {
            throw Defect(description: "a file declares nothing, and nothing is wrong with it")
        }
        let registrations = definitions.definitions.map { $0.makeRegistration() }
        _ = try? IntentRegistry([IntentExtension("Fuzz") { registrations }])
        let vocabulary = GlobalVocabularyFile(file.json)
        try file.check(vocabulary.problems)
        _ = GlobalVocabularies([
            GlobalVocabulary(
                locale: "en",
                digest: "",
                terms: vocabulary.terms,
                intentExamples: vocabulary.intentExamples
            )
        ])
        try file.check(PromptFile(file.json).problems)
        return true
    }

    private func check(_ problems: [DefinitionProblem]) throws {
        for problem in problems where problem.description.isEmpty || self.line(problem.path) == 0 {
            throw Defect(description: "a problem without a word or a line: \(problem)")
        }
    }
}
#endif
