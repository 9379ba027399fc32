internal import LibCrypto

/// The private key of the deployment's signatures: Ed25519.
///
/// It is read from a file that only its user may read, and never printed.
package struct SigningKey: Sendable, CustomStringConvertible, CustomReflectable {
    private static let title = "intentd-ed25519-private-key"

    private let key: Ed25519.PrivateKey

    package init() { self.key = Ed25519.PrivateKey() }

    /// Reads the text of a key's file; nil when it is none.
    package init?(text: String) {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 2, words[0] == Self.title,
            let key = Hex.bytes(String(words[1])).flatMap(Ed25519.PrivateKey.init(rawRepresentation:))
        else { return nil }
        self.key = key
    }

    package var fileText: String { "\(Self.title) \(Hex.text(self.key.rawRepresentation))\n" }

    /// The public half, as 64 digits, by which signatures are checked.
    package var publicKey: VerifyingKey { VerifyingKey(self.key.publicKey) }

    /// The signature, in hexadecimal.
    func signature(of bytes: [UInt8]) -> String { Hex.text(self.key.signature(for: bytes)) }

    /// Reveals nothing of the key.
    package var description: String { "a signing key" }
    /// Reveals nothing of the key.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The public half of a key: checks what the private half has signed.
package struct VerifyingKey: Hashable, Sendable, CustomStringConvertible {
    private let key: Ed25519.PublicKey

    init(_ key: Ed25519.PublicKey) { self.key = key }

    /// Reads 64 digits; nil for anything else.
    package init?(_ text: String) {
        guard let key = Hex.bytes(text).flatMap(Ed25519.PublicKey.init(rawRepresentation:)) else { return nil }
        self.key = key
    }

    /// 64 digits.
    package var description: String { Hex.text(self.key.rawRepresentation) }

    /// Whether a signature over these bytes was made with this key.
    func isValid(_ signature: String, of bytes: [UInt8]) -> Bool {
        Hex.bytes(signature).map { self.key.isValidSignature($0, for: bytes) } ?? false
    }
}
