package import IntentEvents

/// The event of a turn and what goes with it.
package struct TurnInput: Sendable {
    /// A record and what was read in it: it goes through many hands, and never changes.
    private final class Reading: Sendable {
        let stored: StoredRecord
        let event: Result<Event, EventDecodingError>

        init(_ stored: StoredRecord, _ event: Result<Event, EventDecodingError>) {
            self.stored = stored
            self.event = event
        }
    }

    private let reading: Reading
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
        self.reading = Reading(stored, Self.event(in: stored, crash))
        self.attempt = attempt
        self.firstTriedAt = firstTriedAt
        self.crash = crash
    }

    private static func event(
        in stored: StoredRecord,
        _ crash: CrashVerdict?
    ) -> Result<Event, EventDecodingError> {
        guard let crash, crash.isUndecoded else {
            do throws(EventDecodingError) { return .success(try stored.decoded()) } catch { return .failure(error) }
        }
        return .failure(Event.unread(stored.content, detail: crash.description))
    }

    /// The record as it was read.
    package var stored: StoredRecord { self.reading.stored }

    /// The event in it, or why there is none.
    package var event: Result<Event, EventDecodingError> { self.reading.event }

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
