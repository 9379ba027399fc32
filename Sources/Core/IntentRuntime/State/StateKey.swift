package import IntentEvents

/// A key on the topic `state`: `<stage>/<user>/<name>` (contract, section 1).
package struct StateKey: Hashable, Sendable {
    /// The stage; nil for an entry of the deployment.
    package var stage: Stage?
    /// The user; empty for an entry of the partition.
    package var user: UserID
    package var name: StateName

    /// The name of a partition's chain head (R41).
    package static let chain: StateName = "chain"

    /// The name of the entry without a value that a worker writes before it reads a stage's state.
    package static func end(of stage: Stage) -> StateName { StateName("end/\(stage.rawValue)") }

    /// Whether this is a partition's chain head.
    package var isChain: Bool { self.user.isEmpty && self.name == Self.chain }

    package init(stage: Stage?, user: UserID, name: StateName) {
        self.stage = stage
        self.user = user
        self.name = name
    }

    /// The key's bytes: slashes and percent signs in the user's id are escaped, so that every key can be read back.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(self.user.utf8.count + self.name.utf8.count + 10)
        self.write(to: &bytes)
        return bytes
    }

    func write(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: (self.stage?.rawValue ?? "").utf8)
        bytes.append(Self.slash)
        if self.user.utf8.contains(where: { $0 == Self.slash || $0 == Self.percent }) {
            for byte in self.user.utf8 {
                switch byte {
                case Self.slash: bytes.append(contentsOf: Self.escapedSlash)
                case Self.percent: bytes.append(contentsOf: Self.escapedPercent)
                default: bytes.append(byte)
                }
            }
        } else {
            bytes.append(contentsOf: self.user.utf8)
        }
        bytes.append(Self.slash)
        bytes.append(contentsOf: self.name.utf8)
    }

    private static let slash = UInt8(ascii: "/")
    private static let percent = UInt8(ascii: "%")
    private static let escapedSlash = Array("%2F".utf8)
    private static let escapedPercent = Array("%25".utf8)

    /// Reads a key; nil when it has another form.
    package init?(_ bytes: [UInt8]) {
        guard let key = bytes.withUnsafeBufferPointer({ Self($0) }) else { return nil }
        self = key
    }

    /// Reads a key in place; nil when it has another form, or belongs to another stage.
    ///
    /// It reads bytes, not characters: a worker that takes partitions over reads millions of keys, and most belong to
    /// other stages.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, of wanted: Stage? = nil) {
        guard let first = bytes.firstIndex(of: Self.slash) else { return nil }
        let stage = UnsafeBufferPointer(rebasing: bytes[..<first])
        if let wanted {
            guard RecordParts.areEqual(stage, wanted.rawValue) else { return nil }
            self.stage = wanted
        } else {
            self.stage = Stage(rawValue: String(decoding: stage, as: UTF8.self))
            guard first == 0 || self.stage != nil else { return nil }
        }
        guard let second = bytes[(first + 1)...].firstIndex(of: Self.slash) else { return nil }
        let user = UnsafeBufferPointer(rebasing: bytes[(first + 1)..<second])
        let isEscaped = user.contains(Self.percent)
        self.user = UserID(
            isEscaped
                ? String(decoding: Self.unescaped(Array(user)[...]), as: UTF8.self)
                : String(decoding: user, as: UTF8.self)
        )
        self.name = StateName(String(decoding: UnsafeBufferPointer(rebasing: bytes[(second + 1)...]), as: UTF8.self))
    }

    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes
        var plain: ArraySlice<UInt8> = []
        while let byte = rest.first {
            let isSlash = rest.starts(with: Self.escapedSlash)
            let isEscaped = isSlash || rest.starts(with: Self.escapedPercent)
            plain.append(isSlash ? Self.slash : byte)
            rest = rest.dropFirst(isEscaped ? 3 : 1)
        }
        return plain
    }
}
