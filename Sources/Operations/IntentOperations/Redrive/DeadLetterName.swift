package import IntentEvents

/// A dead letter's name: `partition/offset`.
package struct DeadLetterName: Hashable, Sendable {
    /// Its partition on `dead-letters`.
    package let partition: Int
    package let offset: Int64

    package init(partition: Int, offset: Int64) {
        self.partition = partition
        self.offset = offset
    }

    package init(_ position: RecordPosition) { self.init(partition: position.partition, offset: position.offset) }

    /// Reads `3/17`, or `dead-letters/3/17` as positions are shown elsewhere.
    /// - Throws: ``OperationError``, `usage`, for other texts.
    package init(_ text: String) throws(OperationError) {
        let parts = text.trimmingPrefix("dead-letters/").split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let partition = Int(parts[0]), let offset = Int64(parts[1]), partition >= 0, offset >= 0
        else {
            throw OperationError(
                .usage,
                "'\(text)' is not the id of a dead letter: use PARTITION/OFFSET, such as 3/17"
            )
        }
        self.init(partition: partition, offset: offset)
    }

    /// The name in the form of `list`.
    package var text: String { "\(self.partition)/\(self.offset)" }
}
