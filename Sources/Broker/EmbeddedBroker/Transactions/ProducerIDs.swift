/// Allocates producer ids: one that has been returned is never returned again, not even after a crash.
struct ProducerIDs {
    private let store: LogStore
    private var nextID: Int64
    /// The store has reserved the ids below this one.
    private var reserved: Int64

    init(_ store: LogStore) throws {
        self.store = store
        self.nextID = Int64(try store.setting("producer.ids") ?? "1") ?? 1
        self.reserved = self.nextID
    }

    mutating func next() throws -> Int64 {
        if self.nextID == self.reserved {
            self.reserved += 100
            try self.store.set("producer.ids", to: String(self.reserved))
        }
        defer { self.nextID += 1 }
        return self.nextID
    }
}
