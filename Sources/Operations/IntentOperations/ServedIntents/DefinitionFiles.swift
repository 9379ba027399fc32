package import DeclaredIntents
internal import Foundation
internal import Yams

/// The intents that files declare (R50), with everything that is wrong in those files.
package struct DefinitionFiles {
    /// The definitions, in the files' order, each with its location: `file:line`.
    package private(set) var definitions: [(definition: IntentDefinition, location: String)] = []
    /// The problems: `file:line: …`.
    package private(set) var problems: [String] = []
    /// Secrets that are not where the definitions say: `file:line: …`.
    private(set) var missingSecrets: [String] = []
    /// The files that were read.
    package private(set) var files: [String] = []
    /// Where each intent of the documents before is declared.
    private var locations: [String: String] = [:]

    /// The directory whose files are read without being named.
    package static let directory = "config/intents"

    /// Reads the files of `config/intents` and those that the configuration names.
    /// - Throws: ``OperationError``: a named file that is missing (66).
    package init(_ configuration: Configuration, directory: String = Self.directory) throws(OperationError) {
        for path in Self.files(in: directory) + configuration.list(.definitions) {
            try self.read(path)
        }
    }

    /// The files of a directory that declare intents.
    package static func files(in directory: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.sorted()
            .filter { name in [".json", ".yaml", ".yml"].contains(where: name.hasSuffix) && !name.hasPrefix(".") }
            .map { "\(directory)/\($0)" }
    }

    private mutating func read(_ path: String) throws(OperationError) {
        self.files.append(path)
        do throws(OperationError) {
            let directory = URL(filePath: path).deletingLastPathComponent().path
            for document in try DefinitionDocument.all(path) {
                self.read(DefinitionFile(document.json, directory: directory), path, document.file)
            }
        } catch {
            guard error.code == .configuration else { throw error }
            self.problems.append(error.message)
        }
    }

    private mutating func read(_ content: DefinitionFile, _ path: String, _ file: YAMLFile?) {
        for problem in content.problems {
            let line = file.map { ":\($0.line(of: problem.path))" } ?? ""
            self.problems.append("\(path)\(line): \(problem.path): \(problem.message)")
        }
        let lines = file.map(Self.lines) ?? [:]
        var own: [String: String] = [:]
        for definition in content.definitions {
            let line = lines[definition.name].map { ":\($0)" } ?? ""
            let location = "\(path)\(line)"
            for missing in definition.missingSecrets {
                let line = file.map { ":\($0.line(of: missing.path))" } ?? ""
                self.missingSecrets.append("\(path)\(line): \(definition.name): \(missing.message)")
            }
            // Two of one document are among its problems already.
            if let other = self.locations[definition.name] {
                self.problems.append("\(location): \(definition.name) is declared twice, first at \(other)")
            } else {
                self.definitions.append((definition, location))
                own[definition.name] = own[definition.name] ?? location
            }
        }
        self.locations.merge(own) { first, _ in first }
    }

    /// The line on which each intent begins, by its name.
    private static func lines(in file: YAMLFile) -> [String: Int] {
        guard let root = file.root else { return [:] }
        let sequence = root.mapping?["intents"]?.sequence ?? root.sequence
        let intents = sequence.map { Array($0) } ?? [root]
        let lines = intents.compactMap { intent in
            intent.mapping?["name"]?.scalar.map { ($0.string, YAMLFile.line(of: intent)) }
        }
        return Dictionary(lines) { first, _ in first }
    }
}
