import Foundation

/// The input at prompts on this machine, in a file of the user's own.
///
/// Lines that may contain a sensitive value are never in it. A file that cannot be read or written is no reason to
/// fail: there is no history then.
struct TypedHistory {
    /// The number of lines that are kept.
    private static let limit = 500

    let path: String

    /// The lines, the oldest first.
    func read() -> [String] {
        guard let data = FileManager.default.contents(atPath: self.path) else { return [] }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init).suffix(Self.limit)
    }

    /// Keeps the last of these lines, in an existing directory.
    func write(_ lines: [String]) {
        let text = lines.suffix(Self.limit).map { $0 + "\n" }.joined()
        let draft = "\(self.path).\(getpid())"
        let isMade = FileManager.default.createFile(
            atPath: draft,
            contents: Data(text.utf8),
            attributes: [.posixPermissions: 0o600]
        )
        guard isMade, rename(draft, self.path) == 0 else {
            unlink(draft)
            return
        }
    }
}
