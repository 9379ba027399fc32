package import IntentKit

/// Writes a ``RecordContent`` from its first part to its last.
///
/// Its user keeps the order: a key, a value, then headers, each with its name and its value.
package struct RecordContentWriter: Hashable, Sendable {
    private var bytes: [UInt8] = []

    /// Begins with no part, and room for so many bytes.
    package init(capacity: Int) { self.bytes.reserveCapacity(capacity) }

    /// Goes on behind what another one has written, with room for so many bytes more.
    package init(_ other: RecordContentWriter, room: Int) {
        self.bytes.reserveCapacity(other.bytes.count + room)
        self.bytes.append(contentsOf: other.bytes)
    }

    /// What was written.
    package var content: RecordContent { RecordContent(self.bytes) }

    /// Appends a part; nil is a null.
    package mutating func append(part bytes: [UInt8]?) {
        guard let bytes else { return self.appendNull() }
        bytes.withUnsafeBytes { self.append(part: $0) }
    }

    /// Appends a part of bytes that stand elsewhere; nil is a null.
    package mutating func append(part bytes: UnsafeRawBufferPointer?) {
        guard let bytes else { return self.appendNull() }
        self.append(length: bytes.count)
        self.bytes.append(contentsOf: bytes)
    }

    /// Appends a part of another record; nil is a null.
    package mutating func append(part bytes: UnsafeBufferPointer<UInt8>?) {
        if let bytes { self.append(part: UnsafeRawBufferPointer(bytes)) } else { self.appendNull() }
    }

    /// Appends a text's UTF-8 as a part.
    package mutating func append(part text: String) {
        var text = text
        text.withUTF8 { self.append(part: UnsafeRawBufferPointer($0)) }
    }

    /// Appends a null.
    package mutating func appendNull() { self.append(length: -1) }

    /// Appends a part that the closure writes behind what is there.
    package mutating func writePart(_ write: (inout [UInt8]) -> Void) {
        let start = self.bytes.count
        self.append(length: 0)
        write(&self.bytes)
        let length = Int32(self.bytes.count - start - 4).littleEndian
        withUnsafeBytes(of: length) { self.bytes.replaceSubrange(start..<(start + 4), with: $0) }
    }

    /// Appends a part of JSON.
    package mutating func writeJSON(_ write: (inout JSONText) -> Void) {
        self.writePart { JSONText.append(to: &$0, write) }
    }

    /// Appends a header.
    package mutating func append(_ header: LogHeader) {
        self.append(part: header.name)
        self.append(part: header.value)
    }

    /// Appends a header of text.
    package mutating func append(header name: String, _ text: String) {
        self.append(part: name)
        self.append(part: text)
    }

    /// Appends all headers of another record.
    package mutating func append(headersOf content: RecordContent, except name: String? = nil) {
        content.withParts { parts in
            parts.forEachHeader { other, value in
                if let name, RecordParts.areEqual(other, name) { return }
                self.append(part: other)
                self.append(part: value)
            }
        }
    }

    @inline(__always)
    private mutating func append(length: Int) {
        // Records are far smaller than 2 GiB: what comes in is bounded where it is read (R47).
        withUnsafeBytes(of: Int32(length).littleEndian) { self.bytes.append(contentsOf: $0) }
    }
}
