import Foundation
import IntentKit

/// A header's value, or its source: secrets are in the environment or in files, and are never printed.
struct HTTPHeaderValue: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The source of a value.
    enum Source: Hashable, Sendable {
        /// The definition itself.
        case literal
        /// An environment variable.
        case environment(String)
        /// A file; a newline at its end is ignored.
        case file(String)
    }

    /// What is wrong with a value in a definition.
    struct Problem: Error {
        var message: String
    }

    /// The source.
    let source: Source
    /// The value at the time when the definition was read; nil when it was missing.
    let value: String?

    /// Reads a text, `{"env": "NAME"}` or `{"file": "PATH"}`, and what it refers to.
    static func read(_ json: JSONValue) -> Result<HTTPHeaderValue, Problem> {
        if let text = json.string {
            guard Self.isSendable(text) else { return .failure(Problem(message: "the text has control characters")) }
            return .success(HTTPHeaderValue(source: .literal, value: text))
        }
        if let members = json.object, members.count == 1 {
            if let name = members["env"]?.string, !name.isEmpty {
                let value = ProcessInfo.processInfo.environment[name]
                return .success(HTTPHeaderValue(source: .environment(name), value: value))
            }
            if let path = members["file"]?.string, !path.isEmpty {
                let data = FileManager.default.contents(atPath: path)
                var text = data.flatMap { String(validating: $0, as: UTF8.self) }
                if text?.hasSuffix("\n") ?? false { text?.removeLast() }
                return .success(HTTPHeaderValue(source: .file(path), value: text))
            }
        }
        return .failure(Problem(message: "a text is expected, or {\"env\": \"NAME\"} or {\"file\": \"PATH\"}"))
    }

    /// The reason why it cannot be sent, in words that follow the header's name; nil when it can.
    var problem: String? {
        if let value, Self.isSendable(value) { return nil }
        let what = self.value == nil ? "does not exist" : "holds control characters"
        switch self.source {
        case .literal: return "holds control characters"
        case .environment(let name):
            return self.value == nil
                ? "comes from the environment variable \(name), which is not set"
                : "comes from the environment variable \(name), which \(what)"
        case .file(let path): return "comes from the file \(path), which \(what)"
        }
    }

    /// The source; never the value.
    var description: String {
        switch self.source {
        case .literal: "(in the definition)"
        case .environment(let name): "(from environment \(name))"
        case .file(let path): "(from file \(path))"
        }
    }

    /// The same as the description.
    var debugDescription: String { self.description }

    private static func isSendable(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }
}
