internal import CLibCrypto

/// SHA-256 (FIPS 180-4), computed by the system's libcrypto.
package enum SHA256 {
    /// The number of bytes of a digest.
    package static let byteCount = 32

    /// The digest of bytes.
    package static func digest(_ bytes: UnsafeRawBufferPointer) -> SHA256Digest {
        var digest = SHA256Digest()
        withUnsafeMutableBytes(of: &digest) { words in
            // It fails only when there is no memory or libcrypto itself is broken: the process cannot continue then.
            precondition(
                clibcrypto_sha256(bytes.baseAddress, bytes.count, words.baseAddress) == 1,
                "libcrypto does not support SHA-256"
            )
        }
        return digest
    }

    /// The digest of bytes.
    package static func digest(_ bytes: [UInt8]) -> SHA256Digest { bytes.withUnsafeBytes { Self.digest($0) } }

    /// The digest of bytes, 32 bytes.
    package static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] { Self.digest(bytes).bytes }

    /// The digest of bytes, 32 bytes.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] { Self.digest(bytes).bytes }

    /// The digest of a text's UTF-8, 32 bytes.
    package static func hash(_ text: String) -> [UInt8] {
        var text = text
        return text.withUTF8 { Self.hash(UnsafeRawBufferPointer($0)) }
    }
}
