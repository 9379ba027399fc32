internal import CLibCrypto

/// A public key that checks signatures of JSON Web Tokens (RFC 7518, RFC 8037).
package struct VerifyingKey: Sendable {
    package enum Algorithm: String, CaseIterable, Sendable {
        /// RSASSA-PKCS1-v1_5 with SHA-256.
        case rs256 = "RS256"
        /// ECDSA with P-256 and SHA-256.
        case es256 = "ES256"
        /// Ed25519.
        case edDSA = "EdDSA"
    }

    /// The one algorithm that the key is used with.
    package let algorithm: Algorithm
    private let key: Handle

    /// The sizes of RSA keys that are accepted, in bits: shorter ones can be broken, longer ones take long.
    package static let rsaBits = 2_048...8_192
    private static let coordinateBytes = 32

    /// Creates an RSA key from its modulus and its public exponent, big-endian; nil when they are no safe key.
    package init?(rsaModulus modulus: [UInt8], exponent: [UInt8]) {
        let (modulus, exponent) = (Array(modulus.drop { $0 == 0 }), Array(exponent.drop { $0 == 0 }))
        guard let first = modulus.first, let last = exponent.last, last & 1 == 1, exponent != [1], exponent.count <= 8,
            Self.rsaBits.contains(modulus.count * 8 - first.leadingZeroBitCount)
        else { return nil }
        let numbers = DER.sequence(DER.integer(modulus) + DER.integer(exponent))
        // rsaEncryption, without parameters.
        let algorithm = DER.sequence([0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00])
        guard let key = Handle(algorithm, numbers) else { return nil }
        self.algorithm = .rs256
        self.key = key
    }

    /// Creates a key on P-256 from its coordinates of 32 bytes; nil when they are no point of it.
    package init?(p256X x: [UInt8], y: [UInt8]) {
        guard x.count == Self.coordinateBytes, y.count == Self.coordinateBytes else { return nil }
        // ecPublicKey, prime256v1.
        let algorithm = DER.sequence([
            0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01,
            0x07,
        ])
        guard let key = Handle(algorithm, [0x04] + x + y) else { return nil }
        self.algorithm = .es256
        self.key = key
    }

    /// Creates a key for Ed25519 from its 32 bytes; nil for another number of bytes.
    package init?(ed25519 bytes: [UInt8]) {
        guard bytes.count == Ed25519.keyByteCount,
            let key = Handle(DER.sequence([0x06, 0x03, 0x2B, 0x65, 0x70]), bytes)
        else { return nil }
        self.algorithm = .edDSA
        self.key = key
    }

    /// Whether the key's owner has signed that message; false also for an invalid signature.
    ///
    /// - Parameters:
    ///   - signature: As in a token: for ES256 both numbers with 32 bytes each.
    ///   - message: What was signed.
    /// - Returns: Whether it is valid.
    package func isValidSignature(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        switch self.algorithm {
        case .rs256: return self.key.verify(signature, message, EVP_sha256())
        case .edDSA:
            guard signature.count == Ed25519.signatureByteCount else { return false }
            return self.key.verify(signature, message, nil)
        case .es256:
            guard signature.count == 2 * Self.coordinateBytes else { return false }
            let numbers = [signature.prefix(Self.coordinateBytes), signature.suffix(Self.coordinateBytes)]
            let encoded = DER.sequence(numbers.flatMap { DER.integer(Array($0.drop { $0 == 0 })) })
            return self.key.verify(encoded, message, EVP_sha256())
        }
    }

    /// libcrypto's key.
    // @unchecked: the pointer is set once and freed by the last owner; libcrypto counts references atomically, and
    // verifying only reads the key.
    private final class Handle: @unchecked Sendable {
        private let pointer: OpaquePointer

        /// Reads a key (RFC 5280, SubjectPublicKeyInfo); nil when libcrypto accepts it not.
        init?(_ algorithm: [UInt8], _ bits: [UInt8]) {
            let encoded = DER.sequence(algorithm + DER.bitString(bits))
            ERR_clear_error()
            defer { ERR_clear_error() }
            let pointer = encoded.withUnsafeBufferPointer { bytes in
                var start = bytes.baseAddress
                return d2i_PUBKEY(nil, &start, CLong(bytes.count))
            }
            guard let pointer else { return nil }
            self.pointer = pointer
        }

        deinit { EVP_PKEY_free(self.pointer) }

        func verify(_ signature: [UInt8], _ message: [UInt8], _ digest: OpaquePointer?) -> Bool {
            let context = EVP_MD_CTX_new()
            defer {
                EVP_MD_CTX_free(context)
                ERR_clear_error()
            }
            return EVP_DigestVerifyInit(context, nil, digest, nil, self.pointer) == 1
                && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        }
    }
}

/// The few forms of DER (ITU-T X.690) that keys and signatures are made of.
private enum DER {
    static func sequence(_ contents: [UInt8]) -> [UInt8] { Self.value(0x30, contents) }

    /// A positive whole number, big-endian without leading zeros.
    static func integer(_ bytes: [UInt8]) -> [UInt8] {
        // A first bit that is set would mean a negative number.
        Self.value(0x02, bytes.first.map { $0 < 0x80 } ?? false ? bytes : [0] + bytes)
    }

    static func bitString(_ bytes: [UInt8]) -> [UInt8] { Self.value(0x03, [0] + bytes) }

    private static func value(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        let count = contents.count
        guard count >= 0x80 else { return [tag, UInt8(count)] + contents }
        // A copy: the bytes are gone after the closure.
        let length = withUnsafeBytes(of: UInt32(count).bigEndian) { Array($0.drop { $0 == 0 }) }
        return [tag, 0x80 | UInt8(length.count)] + length + contents
    }
}
