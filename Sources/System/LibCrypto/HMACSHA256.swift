internal import CLibCrypto

/// HMAC with SHA-256 (RFC 2104): a digest that only the holder of the key can compute.
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
            // It fails only when there is no memory or libcrypto itself is broken.
            precondition(made != nil && Int(length) == SHA256.byteCount, "libcrypto does not support HMAC")
            count = SHA256.byteCount
        }
    }
}
