package import IntentEvents

/// The event of a turn and what goes with it.
package struct TurnInput: Hashable, Sendable {
    /// The record as it was read.
    package var stored: StoredRecord
    /// The event in it; nil when it could not be decoded.
    package var event: Result<Event, EventDecodingError>
    /// Which try it is, from 1.
    package var attempt: Int
    /// When the first try began; nil for the first.
    package var firstTriedAt: Timestamp?
    /// The verdict under which the turn ends without its handler, if there is one (R56).
    package var crash: CrashVerdict?

    /// Reads the record's event, unless a verdict says that it is not to be read.
    package init(
        _ stored: StoredRecord,
        attempt: Int = 1,
        firstTriedAt: Timestamp? = nil,
        crash: CrashVerdict? = nil
    ) {
        self.stored = stored
        self.attempt = attempt
        self.firstTriedAt = firstTriedAt
        self.crash = crash
        if let crash, crash.isUndecoded {
            self.event = .failure(
                Event.unread(
                    stored.headers.map { EventHeader($0.name, $0.value) },
                    key: stored.key,
                    detail: crash.description
                )
            )
            return
        }
        do throws(EventDecodingError) {
            self.event = .success(try stored.decoded())
        } catch {
            self.event = .failure(error)
        }
    }

    /// Whether the record holds an event.
    var isDecoded: Bool { if case .success = self.event { true } else { false } }

    /// The user whose turn it is; empty when nobody can be told.
    package var userID: UserID {
        switch self.event {
        case .success(let event): event.userID
        case .failure(let error): error.userID ?? ""
        }
    }

    /// Whether the event was not even read: then nothing of it may be kept, since it would be read again.
    var isUndecoded: Bool { self.crash?.isUndecoded ?? false }

    /// The partition where the event belongs, if a client has put it into another (R1).
    func partitionElsewhere(of count: Int) -> Int? {
        guard self.stored.position.topic == .requests, !self.userID.isEmpty else { return nil }
        let home = HomePartition.of(user: self.userID, count: count)
        return home == self.stored.position.partition ? nil : home
    }
}
