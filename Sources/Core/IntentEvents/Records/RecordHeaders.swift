/// Iterates over a record's headers in place, in order; valid for one call of ``RecordContent/withParts(_:)``.
public struct RecordHeaders: IteratorProtocol {
    public typealias Header = (name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>?)

    @usableFromInline let bytes: UnsafeBufferPointer<UInt8>
    @usableFromInline var position: Int

    @inlinable init(_ bytes: UnsafeBufferPointer<UInt8>, from position: Int) {
        self.bytes = bytes
        self.position = position
    }

    /// The next header; nil after the last one.
    @inlinable public mutating func next() -> Header? {
        guard self.position < self.bytes.count, let name = RecordParts.part(self.bytes, &self.position) else {
            return nil
        }
        return (name, RecordParts.part(self.bytes, &self.position))
    }
}
