import Foundation

/// What was typed at prompts on this machine, in a file of the user's own.
///
/// What may hold a sensitive value is never in it. A file that cannot be read or written is no reason to fail: there is
/// no history then.
struct TypedHistory {
    /// How many lines are kept.
    private static let limit = 500

    /// Its path.
    let path: String

    /// The lines, the oldest first.
    func read() -> [String] {
        guard let data = FileManager.default.contents(atPath: self.path) else { return [] }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init).suffix(Self.limit)
    }

    /// Keeps the last of these lines, in a directory that is there.
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
