internal import CLibCrypto

/// HMAC with SHA-256 (RFC 2104): a digest that only who has the key can make.
package enum HMACSHA256 {
    /// The code of a message, 32 bytes.
    package static func code(for message: [UInt8], key: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { code, count in
            var length: UInt32 = 0
            let made = HMAC(
                EVP_sha256(),
                key,
                Int32(key.count),
                message,
                message.count,
                code.baseAddress,
                &length
            )
            // It fails only where memory or libcrypto itself is at an end.
            precondition(made != nil && Int(length) == SHA256.byteCount, "libcrypto has no HMAC")
            count = SHA256.byteCount
        }
    }

    /// Whether that is the message's code; takes as long wherever they differ.
    package static func isCode(_ code: [UInt8], of message: [UInt8], key: [UInt8]) -> Bool {
        let own = Self.code(for: message, key: key)
        return code.count == own.count && CRYPTO_memcmp(code, own, own.count) == 0
    }
}
