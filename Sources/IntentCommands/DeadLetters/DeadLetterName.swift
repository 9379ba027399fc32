import ArgumentParser

/// A dead letter's name on the command line: `partition/offset`.
struct DeadLetterName: Hashable, Sendable {
    /// Its partition on `dead-letters`.
    let partition: Int
    /// Its offset.
    let offset: Int64

    /// Reads `3/17`, or `dead-letters/3/17` as other commands show positions.
    /// - Throws: `ValidationError` for other texts.
    static func read(_ text: String) throws -> DeadLetterName {
        let parts = text.trimmingPrefix("dead-letters/").split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let partition = Int(parts[0]), let offset = Int64(parts[1]), partition >= 0, offset >= 0
        else { throw ValidationError("'\(text)' names no dead letter: they are named like 3/17, partition and offset") }
        return DeadLetterName(partition: partition, offset: offset)
    }

    /// The name in the form of `list`.
    var text: String { "\(self.partition)/\(self.offset)" }
}
