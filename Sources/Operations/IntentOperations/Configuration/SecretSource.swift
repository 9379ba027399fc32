/// Where a secret is: `env:NAME` or `file:PATH`.
package enum SecretSource: Hashable, Sendable, CustomStringConvertible {
    case environment(String)
    case file(String)

    /// Reads a source; nil for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[1].isEmpty else { return nil }
        switch parts[0] {
        case "env":
            guard !parts[1].contains("="), !parts[1].contains(where: \.isWhitespace) else { return nil }
            self = .environment(parts[1])
        case "file": self = .file(parts[1])
        default: return nil
        }
    }

    package var description: String {
        switch self {
        case .environment(let name): "the environment variable \(name)"
        case .file(let path): "the file \(path)"
        }
    }

    /// The secret, without white space at both ends, such as the newline at the end of a file.
    /// - Throws: ``OperationError`` (78) that names the source, and nothing of what it holds.
    package func read(_ environment: [String: String]) throws(OperationError) -> String {
        switch self {
        case .environment(let name):
            guard let value = environment[name].map(Self.trimmed), !value.isEmpty else {
                throw OperationError(.configuration, "the environment variable \(name) is not set")
            }
            return value
        case .file(let path):
            do throws(OperationError) {
                return Self.trimmed(try InputFile.text(of: path, maximumBytes: Self.maximumBytes))
            } catch {
                throw OperationError(.configuration, error.message)
            }
        }
    }

    private static func trimmed(_ text: String) -> String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    private static let maximumBytes = 4_096
}
