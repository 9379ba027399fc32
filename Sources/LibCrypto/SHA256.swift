internal import CLibCrypto

/// SHA-256 (FIPS 180-4), as the system's libcrypto makes it.
package enum SHA256 {
    /// How many bytes a digest has.
    package static let byteCount = 32

    /// The digest of bytes.
    package static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.byteCount) { digest, count in
            // It fails only where memory or libcrypto itself is at an end: there is nothing to go on with then.
            precondition(
                clibcrypto_sha256(bytes.baseAddress, bytes.count, digest.baseAddress) == 1,
                "libcrypto has no SHA-256"
            )
            count = Self.byteCount
        }
    }

    /// The digest of bytes.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { Self.hash($0) } }

    /// The digest of a text's UTF-8.
    package static func hash(_ text: String) -> [UInt8] {
        var text = text
        return text.withUTF8 { Self.hash(UnsafeRawBufferPointer($0)) }
    }
}
