package import IntentEvents
internal import LibCrypto

/// SHA-256 of a record's content: key, value and headers, each with its length, so that moving a byte from one part to
/// the next changes the digest.
package enum RecordDigest {
    /// The digest of a record's content, in hex.
    package static func of(_ content: RecordContent) -> String { content.withBytes { SHA256.digest($0).hex() } }

    /// The digest of a record's content, 32 bytes.
    package static func bytes(of content: RecordContent) -> [UInt8] { SHA256.hash(content.bytes) }

    /// The digest of a record, in hex.
    package static func of(_ record: some ContentRecord) -> String { Self.of(record.content) }

    /// The digest of bytes, in hex.
    package static func of(_ bytes: [UInt8]) -> String { Hex.text(SHA256.hash(bytes)) }
}
