internal import IntentKit
internal import LibCrypto

/// The public keys of an issuer (JWKS, RFC 7517) that tokens may be signed with.
package struct JSONWebKeySet: Sendable {
    /// The largest document and the most keys of it that are read.
    static let maximumBytes = 256 << 10
    static let maximumKeys = 64

    private let keys: [(id: String?, key: VerifyingKey)]

    package var count: Int { self.keys.count }

    /// Reads a document; nil when it is none, or has no key that can be used here.
    ///
    /// Keys of other types, for encryption, or for other algorithms are left out; secret ones are never keys here.
    package init?(parsing bytes: [UInt8]) {
        guard bytes.count <= Self.maximumBytes, let keys = StrictJSON.object(bytes)?["keys"]?.array else { return nil }
        self.keys = keys.prefix(Self.maximumKeys).compactMap { $0.object.flatMap(Self.key) }
        if self.keys.isEmpty { return nil }
    }

    private static func key(_ json: JSONObject) -> (id: String?, key: VerifyingKey)? {
        if let use = json["use"], use != "sig" { return nil }
        if let operations = json["key_ops"], !(operations.array ?? []).contains("verify") { return nil }
        func bytes(_ name: String) -> [UInt8] { (json[name]?.string).flatMap { Base64URL.decode($0.utf8) } ?? [] }
        let key: VerifyingKey?
        switch (json["kty"], json["crv"]) {
        case ("RSA", _): key = VerifyingKey(rsaModulus: bytes("n"), exponent: bytes("e"))
        case ("EC", "P-256"): key = VerifyingKey(p256X: bytes("x"), y: bytes("y"))
        case ("OKP", "Ed25519"): key = VerifyingKey(ed25519: bytes("x"))
        default: key = nil
        }
        guard let key else { return nil }
        if let algorithm = json["alg"], algorithm != .string(key.algorithm.rawValue) { return nil }
        return (json["kid"]?.string, key)
    }

    /// Whether there is a key with that id.
    func hasKey(_ id: String) -> Bool { self.keys.contains { $0.id == id } }

    /// The keys that may have signed a token: those with its key id if it names one, and of its algorithm in any case.
    func keys(_ id: String?, _ algorithm: VerifyingKey.Algorithm) -> [VerifyingKey] {
        self.keys.filter { (id == nil || $0.id == id) && $0.key.algorithm == algorithm }.map(\.key)
    }
}
