internal import IntentEvents

/// The offsets up to which a stage's state in one partition includes what the stage reads.
///
/// They are a header of the partition's chain head (R41) and are committed in one transaction with the state, the
/// outputs and the group's offsets. So the state itself says where its stage continues, whatever has happened to the
/// group's offsets since. Versions that do not know the header write chain heads without it.
package struct ReadOffsets: Hashable, Sendable {
    package static let header = "intentd_read"

    /// The partition: a chain head that was copied to another partition says nothing about that one.
    package var partition: Int
    /// The next offset of the stage's input; nil when none is known.
    package var input: Int64?
    /// The next offset of `signals`; nil when none is known.
    package var signals: Int64?

    package init(partition: Int, input: Int64?, signals: Int64?) {
        self.partition = partition
        self.input = input
        self.signals = signals
    }

    /// Reads the header's text; nil when it has another form.
    package init?(text: String) {
        var members: [Substring: Int64] = [:]
        for member in text.split(separator: ",") {
            let parts = member.split(separator: "=", maxSplits: 1)
            // Members that a later version has added are none of ours.
            guard parts.count == 2 else { return nil }
            members[parts[0]] = Int64(parts[1])
        }
        guard let partition = members["partition"].flatMap({ Int(exactly: $0) }), partition >= 0 else { return nil }
        self.init(partition: partition, input: members["input"], signals: members["signals"])
        guard self.input ?? 0 >= 0, self.signals ?? 0 >= 0 else { return nil }
    }

    /// The header's text.
    package var text: String {
        var text = "partition=\(self.partition)"
        if let input = self.input { text += ",input=\(input)" }
        if let signals = self.signals { text += ",signals=\(signals)" }
        return text
    }

    func offset(of topic: Topic) -> Int64? { topic == .signals ? self.signals : self.input }
}
