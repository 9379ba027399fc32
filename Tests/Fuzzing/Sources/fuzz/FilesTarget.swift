import Foundation

@testable import IntentFuzzing

/// Files that people write: see `FuzzedFile`.
enum FilesTarget {
    static func run(_ arguments: [String]) {
        LibFuzzer.run(arguments) { _ = try FuzzedFile.play($0) }
    }

    /// The project's own files, in their three forms.
    static func seeds() throws -> [String: [UInt8]] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        var seeds: [String: [UInt8]] = [:]
        for folder in ["config/intents", "config/prompts", "config/vocabularies"] {
            let directory = root.appending(path: folder)
            for path in try FileManager.default.subpathsOfDirectory(atPath: directory.path) {
                let forms: [String: Character] = ["plist": "p", "yaml": "y", "json": "j"]
                guard let form = forms[URL(filePath: path).pathExtension] else { continue }
                let bytes = try Data(contentsOf: directory.appending(path: path))
                let name = "\(folder)/\(path)".replacingOccurrences(of: "/", with: "-")
                seeds[name] = [form.asciiValue ?? 0] + Array(bytes)
            }
        }
        return seeds
    }
}
