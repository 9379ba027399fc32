internal import LibCrypto
internal import IntentEvents

/// SHA-256 of what a record holds: key, value and headers, each with its length, so that no two records share one by
/// moving a byte from one part to the next.
package enum RecordDigest {
    /// The digest in hex.
    package static func of(key: [UInt8]?, value: [UInt8]?, headers: [LogHeader]) -> String {
        // One buffer: hashing many small pieces takes longer than copying them.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(
            headers.reduce(16 + (key?.count ?? 0) + (value?.count ?? 0)) { $0 + 64 + ($1.value?.count ?? 0) }
        )
        func add(_ part: (some Collection<UInt8>)?) {
            // A length of -1 tells a null from an empty value.
            withUnsafeBytes(of: Int32(part.map(\.count) ?? -1).littleEndian) { bytes.append(contentsOf: $0) }
            if let part { bytes.append(contentsOf: part) }
        }
        add(key)
        add(value)
        for header in headers {
            add(header.name.utf8)
            add(header.value)
        }
        return Self.of(bytes)
    }

    /// The digest of a record that is to be written, in hex.
    package static func of(_ record: OutgoingRecord) -> String {
        Self.of(key: record.key, value: record.value, headers: record.headers)
    }

    /// The digest of a record that was read, in hex.
    package static func of(_ record: LogRecord) -> String {
        Self.of(key: record.key, value: record.value, headers: record.headers)
    }

    /// The digest of bytes, in hex.
    package static func of(_ bytes: [UInt8]) -> String { Hex.text(SHA256.hash(bytes)) }
}
