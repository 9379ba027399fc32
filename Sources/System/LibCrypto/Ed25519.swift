internal import CLibCrypto

/// Signatures by Ed25519 (RFC 8032).
package enum Ed25519 {
    /// The number of bytes of a private and of a public key.
    package static let keyByteCount = 32
    /// The number of bytes of a signature.
    package static let signatureByteCount = 64

    /// A key that signs.
    package struct PrivateKey: Sendable {
        /// Its 32 bytes, which are a secret.
        package let rawRepresentation: [UInt8]

        /// A new key, from the system's random numbers.
        package init() {
            var generator = SystemRandomNumberGenerator()
            self.rawRepresentation = (0..<Ed25519.keyByteCount)
                .map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        }

        /// Creates a key from 32 bytes; nil for another number of bytes.
        package init?(rawRepresentation: [UInt8]) {
            guard rawRepresentation.count == Ed25519.keyByteCount else { return nil }
            self.rawRepresentation = rawRepresentation
        }

        /// The key that checks this key's signatures.
        package var publicKey: PublicKey {
            let bytes = self.withKey { key in
                var count = Ed25519.keyByteCount
                return [UInt8](unsafeUninitializedCapacity: count) { bytes, initialized in
                    let made = EVP_PKEY_get_raw_public_key(key, bytes.baseAddress, &count)
                    precondition(made == 1 && count == Ed25519.keyByteCount, "libcrypto returned no public key")
                    initialized = count
                }
            }
            return PublicKey(bytes: bytes)
        }

        /// The signature of a message, 64 bytes; always the same for the same message.
        package func signature(for message: [UInt8]) -> [UInt8] {
            self.withKey { key in
                let context = EVP_MD_CTX_new()
                defer { EVP_MD_CTX_free(context) }
                var count = Ed25519.signatureByteCount
                return [UInt8](unsafeUninitializedCapacity: count) { signature, initialized in
                    let made =
                        EVP_DigestSignInit(context, nil, nil, nil, key) == 1
                        && EVP_DigestSign(context, signature.baseAddress, &count, message, message.count) == 1
                    precondition(made && count == Ed25519.signatureByteCount, "libcrypto returned no signature")
                    initialized = count
                }
            }
        }

        private func withKey<Result>(_ body: (OpaquePointer) -> Result) -> Result {
            guard
                let key = EVP_PKEY_new_raw_private_key(
                    EVP_PKEY_ED25519,
                    nil,
                    self.rawRepresentation,
                    self.rawRepresentation.count
                )
            else { preconditionFailure("libcrypto does not support Ed25519") }
            defer { EVP_PKEY_free(key) }
            return body(key)
        }
    }

    /// A key that checks signatures.
    package struct PublicKey: Hashable, Sendable {
        /// Its 32 bytes.
        package let rawRepresentation: [UInt8]

        fileprivate init(bytes: [UInt8]) { self.rawRepresentation = bytes }

        /// Creates a key from 32 bytes; nil for another number of bytes.
        package init?(rawRepresentation: [UInt8]) {
            guard rawRepresentation.count == Ed25519.keyByteCount else { return nil }
            self.rawRepresentation = rawRepresentation
        }

        /// Whether the private key has signed that message; false also for an invalid signature or key.
        package func isValidSignature(_ signature: [UInt8], for message: [UInt8]) -> Bool {
            guard signature.count == Ed25519.signatureByteCount,
                let key = EVP_PKEY_new_raw_public_key(
                    EVP_PKEY_ED25519,
                    nil,
                    self.rawRepresentation,
                    self.rawRepresentation.count
                )
            else { return false }
            defer { EVP_PKEY_free(key) }
            let context = EVP_MD_CTX_new()
            defer { EVP_MD_CTX_free(context) }
            return EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
                && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        }
    }
}
