internal import DeclaredIntents
internal import Foundation
internal import IntentKit

/// The texts of prompts from files, with everything that is wrong in them.
///
/// A directory contains one file per language, `de.yaml` or `de-AT.json`; `default.yaml` is used where no other
/// applies.
struct PromptFiles {
    private(set) var texts = PromptTexts()
    /// The problems: `file:line: …`.
    private(set) var problems: [String] = []
    /// The files that were read.
    private(set) var files: [String] = []

    private var namings: [(naming: PromptFile.Naming, location: String)] = []

    /// Reads the files of a directory; a missing one contains none.
    init(directory: String) {
        var languages: [String: PromptTexts.Language] = [:]
        var paths: [String: String] = [:]
        for (path, bare) in Self.files(in: directory) {
            let locale = bare == "default" ? "" : LocaleFallback.key(bare)
            self.files.append(path)
            if let other = paths[locale] {
                self.problems.append("\(path): \(other) is for the same language: keep one")
                continue
            }
            paths[locale] = path
            guard locale.isEmpty || LocaleTag.isValid(bare) else {
                self.problems.append("\(path): \(bare) is not a language such as de or de-AT, nor default")
                continue
            }
            do throws(OperationError) {
                let document = try DefinitionDocument(path)
                let file = PromptFile(document.json)
                func location(_ member: JSONPath) -> String {
                    document.line(of: member).map { "\(path):\($0)" } ?? path
                }
                self.problems += file.problems.map { "\(location($0.path)): \($0)" }
                self.namings += file.namings.map { ($0, location($0.path)) }
                languages[locale] = file.language
            } catch {
                self.problems.append(error.message)
            }
        }
        self.texts = PromptTexts(languages)
    }

    /// The files of a directory, each with its name without the ending.
    static func files(in directory: String) -> [(path: String, name: String)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.sorted().filter { !$0.hasPrefix(".") }
            .compactMap { name in
                [".yaml", ".yml", ".json"].first(where: name.hasSuffix)
                    .map { ("\(directory)/\(name)", String(name.dropLast($0.count))) }
            }
    }

    /// The wrong names of intents and parameters in files, and placeholders that would speak a masked value.
    func unknownNames(among registrations: [IntentRegistration]) -> [String] {
        self.namings.compactMap { naming, location in
            guard let registration = registrations.first(where: { $0.intentName == naming.intent }) else {
                if naming.parameter != nil { return nil }
                // A file may name intents that other processes handle; one that is nearly known is a typing mistake.
                let hint = NearMiss.hint(naming.intent, among: registrations.map(\.intentName))
                return hint.isEmpty ? nil : "\(location): unknown intent \(naming.intent)\(hint)"
            }
            guard let name = naming.parameter else { return nil }
            guard let parameter = registration.parameters.first(where: { $0.name == name }) else {
                let hint = NearMiss.hint(name, among: registration.parameters.map(\.name))
                return naming.isSaid
                    ? "\(location): {\(name)} is neither a placeholder nor a parameter of \(naming.intent)\(hint)"
                    : "\(location): \(naming.intent) has no parameter \(name)\(hint)"
            }
            guard naming.isSaid, parameter.isSensitive else { return nil }
            return "\(location): {\(name)} is sensitive: its value must not be spoken (R40)"
        }
    }
}
