internal import DeclaredIntents
internal import Foundation
internal import IntentKit
internal import IntentRuntime

/// The global vocabularies in files (R36), with everything that is wrong in them.
///
/// A directory contains one file per language, as an Apple app's bundle does: `de.lproj/AppIntentVocabulary.plist`, or
/// `de/AppIntentVocabulary.plist`. The one without a language, or in `Base.lproj`, is used where no other applies. The
/// file may be a property list, YAML or JSON.
struct VocabularyFiles {
    /// The vocabularies without problems.
    private(set) var vocabularies: [GlobalVocabulary] = []
    /// The problems: `file:line: …`.
    private(set) var problems: [String] = []
    /// The files that were read.
    private(set) var files: [String] = []

    /// A parameter that a file has terms for.
    struct Naming: Hashable {
        /// The parameter's path.
        var parameter: String
        /// `file:line`.
        var location: String
    }

    /// The parameters that files have terms for, each with its location.
    private(set) var namings: [Naming] = []

    private static let name = "AppIntentVocabulary"
    private static let extensions = ["plist", "yaml", "yml", "json"]
    private var byLocale: [String: String] = [:]

    /// Reads the files of a directory; a missing one contains none.
    init(directory: String) {
        for (path, locale) in Self.files(in: directory) {
            self.files.append(path)
            let key = LocaleFallback.key(locale)
            if let other = self.byLocale[key] {
                self.problems.append(
                    "\(path): \(other) is for the same language: keep one"
                )
                continue
            }
            self.byLocale[key] = path
            do throws(OperationError) {
                try self.read(path, locale)
            } catch {
                self.problems.append(error.message)
            }
        }
    }

    /// The files of a directory, each with its language.
    static func files(in directory: String) -> [(path: String, locale: String)] {
        var found = Self.candidates(in: directory).map { ($0, "") }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        for name in names.sorted() where !name.hasPrefix(".") {
            let bare = name.hasSuffix(".lproj") ? String(name.dropLast(6)) : name
            found += Self.candidates(in: "\(directory)/\(name)").map { ($0, bare == "Base" ? "" : bare) }
        }
        return found
    }

    private static func candidates(in directory: String) -> [String] {
        Self.extensions.map { "\(directory)/\(Self.name).\($0)" }.filter(FileManager.default.fileExists)
    }

    private mutating func read(_ path: String, _ locale: String) throws(OperationError) {
        guard locale.isEmpty || LocaleTag.isValid(locale) else {
            throw OperationError(.configuration, "\(path): \(locale) is not a language such as de or de-AT")
        }
        let (json, line) = try Self.content(path)
        let file = GlobalVocabularyFile(json)
        func location(_ member: JSONPath) -> String { line(member).map { "\(path):\($0)" } ?? path }
        self.problems += file.problems.map { "\(location($0.path)): \($0)" }
        self.namings += file.paths.map { Naming(parameter: $0.key, location: location($0.value)) }
            .sorted { $0.parameter < $1.parameter }
        self.vocabularies.append(
            GlobalVocabulary(
                locale: locale,
                digest: String(RecordDigest.of(json.utf8).prefix(16)),
                terms: file.terms,
                intentExamples: file.intentExamples
            )
        )
    }

    /// The content of a file, and the lines of its values.
    private static func content(_ path: String) throws(OperationError) -> (JSONValue, (JSONPath) -> Int?) {
        if path.hasSuffix(".plist") {
            let data = try InputFile.data(of: path)
            let json = try PropertyListFile.json(path, data)
            let lines = PropertyListLines(data.starts(with: Array("bplist".utf8)) ? [] : Array(data))
            return (json, { lines.line(of: $0) })
        }
        let document = try DefinitionDocument(path)
        return (document.json, { document.line(of: $0) })
    }

    /// The wrong names of parameters in files: the intent is supported here, but the parameter is not one of its own.
    ///
    /// An app's file may name intents that other programs handle; those are ignored.
    func unknownParameters(among registrations: [IntentRegistration]) -> [String] {
        self.namings.compactMap { naming in
            let parts = naming.parameter.split(separator: ".").map(String.init)
            guard parts.count > 1, let registration = registrations.first(where: { $0.intentName == parts[0] }) else {
                return nil
            }
            let names = registration.parameters.map(\.name)
            if names.contains(parts[1]) { return nil }
            let hint = NearMiss.hint(parts[1], among: names)
            return "\(naming.location): \(parts[0]) has no parameter \(parts[1])\(hint)"
        }
    }
}
