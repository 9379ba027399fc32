package import IntentEvents

/// A key on the topic `state`: `<stage>/<user>/<name>` (contract, section 1).
package struct StateKey: Hashable, Sendable {
    /// The stage; nil for what belongs to the deployment.
    package var stage: Stage?
    /// The user; empty for what belongs to the partition.
    package var user: String
    /// The entry's name.
    package var name: String

    /// The name of a partition's chain head (R41).
    package static let chain = "chain"

    /// Names an entry.
    package init(stage: Stage?, user: String, name: String) {
        self.stage = stage
        self.user = user
        self.name = name
    }

    /// The key's bytes: slashes and percent signs in the user's id are escaped, so that every key can be read back.
    package var bytes: [UInt8] {
        let user =
            self.user.contains(where: { $0 == "/" || $0 == "%" })
            ? self.user.replacing("%", with: "%25").replacing("/", with: "%2F") : self.user
        return Array("\(self.stage?.rawValue ?? "")/\(user)/\(self.name)".utf8)
    }

    /// Whether a key's bytes are those of an entry of this stage.
    package static func belongs(_ bytes: [UInt8], to stage: Stage) -> Bool {
        bytes.starts(with: stage.rawValue.utf8) && bytes.dropFirst(stage.rawValue.utf8.count).first == UInt8(ascii: "/")
    }

    /// Reads a key; nil when it has another form.
    package init?(_ bytes: [UInt8]) {
        // Bytes, not characters: millions of keys are read when a worker takes partitions over.
        let slash = UInt8(ascii: "/")
        guard let first = bytes.firstIndex(of: slash), let second = bytes[(first + 1)...].firstIndex(of: slash) else {
            return nil
        }
        self.stage = Stage(rawValue: String(decoding: bytes[..<first], as: UTF8.self))
        guard first == 0 || self.stage != nil else { return nil }
        let user = bytes[(first + 1)..<second]
        self.user = String(decoding: user, as: UTF8.self)
        if user.contains(UInt8(ascii: "%")) {
            self.user = self.user.replacing("%2F", with: "/").replacing("%25", with: "%")
        }
        self.name = String(decoding: bytes[(second + 1)...], as: UTF8.self)
    }
}
