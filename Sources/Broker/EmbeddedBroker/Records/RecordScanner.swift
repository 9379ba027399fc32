/// Reads the records of a batch piece by piece as they are decompressed, and keeps none of them.
///
/// It accepts only records that every consumer can read: each fills its length exactly, offsets count up from 0 without
/// gaps, keys, values and headers are inside, no time overflows, and the header states the right number of records.
struct RecordScanner: ByteSink {
    /// The number of further bytes that it accepts.
    private(set) var capacity: Int
    /// Whether a record without a key has been read.
    private(set) var hasNullKey = false
    /// The latest time of the records.
    private(set) var maxTimestamp = Int64.min
    private let baseTimestamp: Int64
    private let recordCount: Int32
    private let maxRecordBytes: Int
    /// The number of records that have been read completely.
    private var read: Int32 = 0
    private var field = Field.length
    /// The bytes left of the record; keys and values count as read at their beginning.
    private var left = 0
    /// The bytes left of a key, a value or a header.
    private var skipping = 0
    private var headersLeft: Int64 = 0
    private var number: UInt64 = 0
    private var shift: UInt64 = 0

    /// The field to which the next byte belongs; all but the attributes are variable-length integers.
    private enum Field {
        case length
        /// A byte that is not used.
        case attributes
        /// The time, relative to the batch's.
        case timestamp
        /// The offset, relative to the batch's.
        case offset
        /// The key's length, or -1; the key follows.
        case keyLength
        /// The value's length, or -1; the value follows.
        case valueLength
        case headerCount
        /// The length of a header's name; the name follows.
        case headerKeyLength
        /// The length of a header's value, or -1; the value follows.
        case headerValueLength
    }

    init(_ header: RecordBatchHeader, bounds: RecordBounds) {
        self.capacity = bounds.batchBytes
        self.maxRecordBytes = bounds.recordBytes
        self.baseTimestamp = header.baseTimestamp
        self.recordCount = header.recordCount
    }

    /// Reads the next piece.
    mutating func write(_ bytes: UnsafeRawBufferPointer) -> RecordBatchError? {
        guard bytes.count <= self.capacity else { return .tooLarge }
        self.capacity -= bytes.count
        var position = 0
        while position < bytes.count {
            if self.skipping > 0 {
                let count = min(self.skipping, bytes.count - position)
                self.skipping -= count
                position += count
                continue
            }
            let byte = bytes[position]
            position += 1
            if self.field != .length {
                guard self.left > 0 else { return .invalid }
                self.left -= 1
            }
            if self.field == .attributes {
                self.field = .timestamp
                continue
            }
            let value: Int64
            if byte < 0x80, self.shift == 0 {
                // Most numbers are small.
                value = Int64(byte >> 1) ^ -Int64(byte & 1)
            } else {
                // The tenth byte holds the 64th bit.
                guard self.shift < 63 || byte <= 1 else { return .invalid }
                self.number |= UInt64(byte & 0x7f) << self.shift
                if byte & 0x80 != 0 {
                    self.shift += 7
                    continue
                }
                value = Int64(bitPattern: self.number >> 1) ^ -Int64(bitPattern: self.number & 1)
                self.number = 0
                self.shift = 0
            }
            if let refusal = self.accept(value) { return refusal }
        }
        return nil
    }

    /// What is wrong with the position where the bytes have ended, if anything is.
    func finish() -> RecordBatchError? {
        self.read == self.recordCount && self.field == .length && self.shift == 0 && self.skipping == 0
            ? nil : .invalid
    }

    private mutating func accept(_ value: Int64) -> RecordBatchError? {
        switch self.field {
        case .length:
            guard self.read < self.recordCount, value > 0 else { return .invalid }
            guard value <= Int64(self.maxRecordBytes) else { return .tooLarge }
            self.left = Int(value)
            self.field = .attributes
        case .attributes, .timestamp:
            let (time, overflow) = self.baseTimestamp.addingReportingOverflow(value)
            guard !overflow else { return .invalid }
            self.maxTimestamp = max(self.maxTimestamp, time)
            self.field = .offset
        case .offset:
            guard value == Int64(self.read) else { return .invalid }
            self.field = .keyLength
        case .keyLength:
            if value < 0 { self.hasNullKey = true }
            self.field = .valueLength
            return self.skip(value, canBeNull: true)
        case .valueLength:
            self.field = .headerCount
            return self.skip(value, canBeNull: true)
        case .headerCount:
            guard value >= 0, value <= Int64(self.left) else { return .invalid }
            self.headersLeft = value
            return self.beginHeader()
        case .headerKeyLength:
            self.field = .headerValueLength
            return self.skip(value, canBeNull: false)
        case .headerValueLength:
            if let refusal = self.skip(value, canBeNull: true) { return refusal }
            self.headersLeft -= 1
            return self.beginHeader()
        }
        return nil
    }

    private mutating func skip(_ length: Int64, canBeNull: Bool) -> RecordBatchError? {
        if length == -1, canBeNull { return nil }
        guard length >= 0, length <= Int64(self.left) else { return .invalid }
        self.left -= Int(length)
        self.skipping = Int(length)
        return nil
    }

    private mutating func beginHeader() -> RecordBatchError? {
        if self.headersLeft > 0 {
            self.field = .headerKeyLength
            return nil
        }
        guard self.left == 0 else { return .invalid }
        self.read += 1
        self.field = .length
        return nil
    }
}
