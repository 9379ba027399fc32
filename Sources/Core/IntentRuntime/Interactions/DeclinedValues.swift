package import IntentKit
internal import LibCrypto

/// The values of a parameter that were offered and declined, the oldest first (R72a).
package struct DeclinedValues: Hashable, Sendable {
    /// The number of values that are kept; the oldest are dropped.
    static let maximumCount = 100
    /// The size of a value, in bytes of its JSON, beyond which only its digest is kept, to be compared.
    static let maximumBytes = 1_024

    private var kept: [JSONValue] = []

    init() {}

    /// The form in state; nil when it is none.
    init?(json: JSONValue) {
        guard let kept = json.array else { return nil }
        self.kept = kept
    }

    /// The form in state.
    package var json: JSONValue { .array(self.kept) }

    /// The values of which more than the digest is kept.
    var values: [JSONValue] { self.kept.filter { $0.object.map { $0.count != 1 || $0[Self.digest] == nil } ?? true } }

    mutating func append(_ values: [JSONValue]) {
        for value in values.map(Self.kept) where !self.kept.contains(value) { self.kept.append(value) }
        self.kept.removeFirst(max(0, self.kept.count - Self.maximumCount))
    }

    /// Whether a value, or each value of a list, was declined.
    func contains(_ value: JSONValue) -> Bool {
        guard let values = value.array, !values.isEmpty else { return self.kept.contains(Self.kept(value)) }
        return values.allSatisfy { self.kept.contains(Self.kept($0)) }
    }

    private static let digest = "sha256"

    private static func kept(_ value: JSONValue) -> JSONValue {
        let bytes = value.utf8
        return bytes.count <= Self.maximumBytes ? value : [Self.digest: .string(SHA256.digest(bytes).hex(16))]
    }
}
