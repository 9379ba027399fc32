/// What the arguments of a record's rows point to beside the record itself, while the statements run: SQLite copies none
/// of it.
///
/// It stays where it is until the next record begins. What an argument points to afterwards is of no account: a statement is
/// not run again before all its arguments are bound anew.
final class ArgumentBytes {
    /// What rows usually fit into.
    private static let usualCapacity = 64 * 1024

    private let usual = UnsafeMutablePointer<UInt8>.allocate(capacity: usualCapacity)
    private var count = 0
    /// What this record needed beyond that.
    private var others: [UnsafeMutablePointer<UInt8>] = []

    /// No record has begun.
    init() {}

    deinit {
        self.begin()
        self.usual.deallocate()
    }

    /// Begins a record.
    func begin() {
        self.count = 0
        guard !self.others.isEmpty else { return }
        for other in self.others { other.deallocate() }
        self.others = []
    }

    /// Makes room for bytes that the caller puts there.
    func room(_ count: Int) -> UnsafeMutableBufferPointer<UInt8> {
        var place = self.usual + self.count
        if count <= Self.usualCapacity - self.count {
            self.count += count
        } else {
            place = .allocate(capacity: count)
            self.others.append(place)
        }
        return UnsafeMutableBufferPointer(start: place, count: count)
    }

    /// Puts bytes here.
    func add(_ bytes: [UInt8]) -> RecordBytes { bytes.withUnsafeBufferPointer { self.copy($0) } }

    /// Puts bytes here, if there are any.
    func add(_ bytes: [UInt8]?) -> RecordBytes? { bytes.map { self.add($0) } }

    /// Puts a text's UTF-8 here.
    func add(_ text: String) -> RecordBytes {
        var text = text
        return text.withUTF8 { self.copy($0) }
    }

    /// Puts a text's UTF-8 here, if there is one.
    func add(_ text: String?) -> RecordBytes? { text.map { self.add($0) } }

    private func copy(_ bytes: RecordBytes) -> RecordBytes {
        let room = self.room(bytes.count)
        _ = room.update(from: bytes)
        return RecordBytes(room)
    }
}
