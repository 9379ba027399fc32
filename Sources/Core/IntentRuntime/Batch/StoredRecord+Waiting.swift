internal import IntentEvents
internal import IntentKit

/// An event of a user's queue (R5), as its state entry holds it.
enum QueuedEvent: JSONReadable {
    /// It has not been tried.
    case first(StoredRecord)
    /// It has been tried while another turn was parked, and is tried again.
    case again(ParkedTurn)

    /// Reads the form in state; nil when it does not fit.
    init?(_ json: JSONView) {
        if let turn = ParkedTurn(json) {
            self = .again(turn)
        } else if let stored = StoredRecord(json) {
            self = .first(stored)
        } else {
            return nil
        }
    }

    var stored: StoredRecord {
        switch self {
        case .first(let stored): stored
        case .again(let turn): turn.event
        }
    }
}

extension StoredRecord {
    /// Whether state entries of that name may hold a waiting event.
    static func mayWait(in name: StateName) -> Bool { name == StateName.parked || name.hasPrefix(StateName.queue) }

    /// The waiting event in a state entry, parked or queued, even if the rest of the entry is unreadable; nil if there is
    /// none, or it cannot be read.
    init?(waitingIn name: StateName, _ value: [UInt8]) {
        guard Self.mayWait(in: name) else { return nil }
        var stored: StoredRecord?
        value.withUnsafeBufferPointer { text in
            try? JSONTape.withView(of: text) { stored = StoredRecord($0["event"] ?? $0) }
        }
        guard let stored else { return nil }
        self = stored
    }
}
