package import IntentKit

/// Writes a ``RecordContent`` from its first part to its last, or several one after the other.
///
/// The caller keeps the order: a key, a value, then headers, each with its name and its value.
package struct RecordContentWriter: Hashable, Sendable {
    private var bytes: [UInt8] = []

    /// Starts without parts, with room for this many bytes.
    package init(capacity: Int) { self.bytes.reserveCapacity(capacity) }

    /// The position of the next part.
    package var position: Int { self.bytes.count }

    /// What was written, as one record.
    package var content: RecordContent { RecordContent(self.bytes, 0..<self.bytes.count) }

    /// The record that was written to that range.
    ///
    /// Writing after this call would copy the buffer.
    package func content(_ range: Range<Int>) -> RecordContent { RecordContent(self.bytes, range) }

    /// Passes the bytes of a range to the closure; they are valid for this call alone.
    package func withBytes<Result>(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        self.bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    package mutating func append(partsOf other: RecordContentWriter) { self.bytes.append(contentsOf: other.bytes) }

    /// Appends a part; nil is a null.
    package mutating func append(part bytes: [UInt8]?) {
        guard let bytes else { return self.appendNull() }
        bytes.withUnsafeBytes { self.append(part: $0) }
    }

    /// Appends a part from a buffer; nil is a null.
    package mutating func append(part bytes: UnsafeRawBufferPointer?) {
        guard let bytes else { return self.appendNull() }
        self.bytes.append(addingCapacity: 4 + bytes.count) { end in
            withUnsafeBytes(of: Self.length(bytes.count)) { end.append($0.assumingMemoryBound(to: UInt8.self)) }
            end.append(bytes.assumingMemoryBound(to: UInt8.self))
        }
    }

    /// Appends a part of another record; nil is a null.
    package mutating func append(part bytes: UnsafeBufferPointer<UInt8>?) {
        if let bytes { self.append(part: UnsafeRawBufferPointer(bytes)) } else { self.appendNull() }
    }

    /// Appends a text's UTF-8 as a part.
    package mutating func append(part text: String) {
        TextBytes.withBytes(of: text) { self.append(part: UnsafeRawBufferPointer($0)) }
    }

    /// Appends whole parts in their written form, lengths included.
    mutating func append(written parts: PermanentBytes) { self.bytes.append(contentsOf: parts.buffer) }

    package mutating func appendNull() { self.append(length: -1) }

    /// Appends a part that the closure writes.
    package mutating func writePart(_ write: (inout [UInt8]) -> Void) {
        let start = self.bytes.count
        self.append(length: 0)
        write(&self.bytes)
        let length = Self.length(self.bytes.count - start - 4)
        self.bytes.withUnsafeMutableBytes { $0.storeBytes(of: length, toByteOffset: start, as: Int32.self) }
    }

    /// Appends a part of JSON.
    package mutating func writeJSON(_ write: (inout JSONText) -> Void) {
        self.writePart { JSONText.append(to: &$0, write) }
    }

    package mutating func append(_ header: LogHeader) {
        self.append(part: header.name)
        self.append(part: header.value)
    }

    package mutating func append(header name: String, _ text: String) {
        self.append(part: name)
        self.append(part: text)
    }

    package mutating func append(headersOf content: RecordContent, except name: String? = nil) {
        content.withParts { parts in
            parts.forEachHeader { other, value in
                if let name, RecordParts.areEqual(other, name) { return }
                self.append(part: other)
                self.append(part: value)
            }
        }
    }

    private mutating func append(length: Int) {
        withUnsafeBytes(of: Self.length(length)) { self.bytes.append(contentsOf: $0) }
    }

    /// What was written, for the rest of the process's life.
    var permanentBytes: PermanentBytes { PermanentBytes(self.bytes) }

    /// A part's length in its written form.
    @inline(__always)
    private static func length(_ count: Int) -> Int32 {
        // Records are far smaller than 2 GiB: input is bounded where it is read (R47).
        Int32(count).littleEndian
    }
}
