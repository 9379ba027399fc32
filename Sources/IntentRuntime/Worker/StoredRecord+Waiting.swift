internal import IntentEvents
internal import IntentKit

extension StoredRecord {
    /// Whether an event may wait in state entries of that name.
    static func mayWait(in name: StateName) -> Bool { name == StateName.parked || name.hasPrefix(StateName.queue) }

    /// The event that waits in a state entry: parked, or behind a parked turn; nil where none does, or it cannot be read.
    init?(waitingIn name: StateName, _ value: [UInt8]) {
        guard Self.mayWait(in: name), let json = try? JSONValue(parsing: value),
            let stored = StoredRecord(json: json["event"] ?? json)
        else { return nil }
        self = stored
    }
}
