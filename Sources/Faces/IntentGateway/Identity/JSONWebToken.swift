internal import IntentKit
internal import LibCrypto

/// A JSON Web Token (RFC 7519) in compact form, decoded and not verified.
struct JSONWebToken: Sendable {
    /// The longest token in bytes.
    static let maximumBytes = 8 << 10

    let algorithm: VerifyingKey.Algorithm
    let keyID: String?
    let claims: JSONObject
    /// What is signed.
    let message: [UInt8]
    let signature: [UInt8]

    /// Decodes a token.
    /// - Throws: ``TokenRefusal``.
    init(_ text: String) throws(TokenRefusal) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumBytes else { throw TokenRefusal(.malformed) }
        let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]).flatMap(StrictJSON.object),
            let claims = Base64URL.decode(parts[1]).flatMap(StrictJSON.object),
            let signature = Base64URL.decode(parts[2])
        else { throw TokenRefusal(.malformed) }
        // `none` and algorithms with shared secrets are not among them; the key decides, not the header alone.
        guard let algorithm = (header["alg"]?.string).flatMap(VerifyingKey.Algorithm.init(rawValue:)) else {
            throw TokenRefusal(.algorithm)
        }
        // An extension that must be understood (RFC 7515, 4.1.11): none is.
        guard header["crit"] == nil, Self.isType(header["typ"]) else { throw TokenRefusal(.malformed) }
        if let keyID = header["kid"] {
            guard let text = keyID.string, 1...256 ~= text.utf8.count else { throw TokenRefusal(.malformed) }
            self.keyID = text
        } else {
            self.keyID = nil
        }
        self.algorithm = algorithm
        self.claims = claims
        self.message = Array(bytes[..<parts[1].endIndex])
        self.signature = signature
    }

    /// Whether it is a token for access, and no other kind of signed document of the same issuer.
    private static func isType(_ type: JSONValue?) -> Bool {
        guard let type else { return true }
        guard let name = type.string?.lowercased() else { return false }
        return ["jwt", "at+jwt", "application/jwt", "application/at+jwt"].contains(name)
    }
}
