/// Bytes that a statement's arguments point to while it runs: SQLite copies none of them.
///
/// They stay where they are until the next row begins. What an argument points to afterwards is of no account: the statement
/// is not run again before all its arguments are bound anew.
final class ArgumentBytes {
    /// What rows usually fit into.
    private static let usualCapacity = 64 * 1024

    private let usual = UnsafeMutablePointer<UInt8>.allocate(capacity: usualCapacity)
    private var count = 0
    /// What this row needed beyond that.
    private var others: [UnsafeMutablePointer<UInt8>] = []

    /// No row has begun.
    init() {}

    deinit {
        self.begin()
        self.usual.deallocate()
    }

    /// Begins a row.
    func begin() {
        self.count = 0
        guard !self.others.isEmpty else { return }
        for other in self.others { other.deallocate() }
        self.others = []
    }

    /// Puts bytes here.
    func add(_ bytes: [UInt8]) -> UnsafeBufferPointer<UInt8> {
        var place = self.usual + self.count
        if self.count + bytes.count <= Self.usualCapacity {
            self.count += bytes.count
        } else {
            place = .allocate(capacity: bytes.count)
            self.others.append(place)
        }
        bytes.withUnsafeBufferPointer { source in
            guard let base = source.baseAddress else { return }
            place.update(from: base, count: source.count)
        }
        return UnsafeBufferPointer(start: place, count: bytes.count)
    }
}
