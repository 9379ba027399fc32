internal import IntentEvents
internal import IntentKit

extension StoredRecord {
    /// Whether state entries of that name may hold a waiting event.
    static func mayWait(in name: StateName) -> Bool { name == StateName.parked || name.hasPrefix(StateName.queue) }

    /// The waiting event in a state entry, parked or queued; nil if there is none, or it cannot be read.
    init?(waitingIn name: StateName, _ value: [UInt8]) {
        guard Self.mayWait(in: name) else { return nil }
        var stored: StoredRecord?
        value.withUnsafeBufferPointer { text in
            try? JSONTape.look(at: text) { stored = StoredRecord($0["event"] ?? $0) }
        }
        guard let stored else { return nil }
        self = stored
    }
}
