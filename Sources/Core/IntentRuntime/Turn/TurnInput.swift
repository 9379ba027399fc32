package import IntentEvents

/// The event of a turn and its circumstances.
package struct TurnInput: Sendable {
    /// A record and its decoded event; it is passed around, and never changes.
    private final class Reading: Sendable {
        let stored: StoredRecord
        /// The event, or the readable parts of one that cannot be decoded.
        let event: Event
        /// Why it cannot be decoded, if that is so.
        let error: EventDecodingError?

        init(_ stored: StoredRecord, _ event: consuming Event) {
            self.stored = stored
            self.event = event
            self.error = nil
        }

        init(_ stored: StoredRecord, _ error: EventDecodingError) {
            self.stored = stored
            self.event = Event(undecodable: error, id: stored.position.description, time: stored.timestamp)
            self.error = error
        }
    }

    /// What earlier tries have left.
    private final class Earlier: Sendable {
        let firstTriedAt: Timestamp
        let failedAt: Timestamp?
        let steps: [CommittedStep]

        init(_ firstTriedAt: Timestamp, _ failedAt: Timestamp?, _ steps: [CommittedStep]) {
            self.firstTriedAt = firstTriedAt
            self.failedAt = failedAt
            self.steps = steps
        }
    }

    private var reading: Reading
    private let earlier: Earlier?
    /// The number of this try, from 1.
    package let attempt: Int
    /// The verdict under which the turn ends without its handler, if there is one (R56).
    package var crash: CrashVerdict?

    /// When the first try began; nil for the first.
    package var firstTriedAt: Timestamp? { self.earlier?.firstTriedAt }
    /// When the try before failed, if no other turn has ended the wait for this one.
    var failedAt: Timestamp? { self.earlier?.failedAt }
    /// The steps that earlier runs of the turn have committed (R74).
    package var steps: [CommittedStep] { self.earlier?.steps ?? [] }

    /// Decodes the record's event, unless a verdict says not to.
    package init(
        _ stored: StoredRecord,
        attempt: Int = 1,
        firstTriedAt: Timestamp? = nil,
        failedAt: Timestamp? = nil,
        steps: [CommittedStep] = [],
        crash: CrashVerdict? = nil
    ) {
        self.reading = Self.reading(stored, crash)
        self.attempt = attempt
        self.earlier = firstTriedAt.map { Earlier($0, failedAt, steps) }
        self.crash = crash
    }

    /// The next try of a parked turn.
    init(_ parked: ParkedTurn) {
        self.init(
            parked.event,
            attempt: parked.attempt,
            firstTriedAt: parked.startedAt,
            failedAt: parked.failedAt,
            steps: parked.steps
        )
    }

    /// The same input, answered to the user whom the record's key names, if the record cannot be read, nothing else names
    /// a user, and the record is in that user's home partition (R47a).
    package func namingUser(in environment: StageEnvironment) -> TurnInput {
        guard var error = self.error, environment.answersByKey, let user = error.keyUserID,
            error.userID?.isEmpty ?? true, self.stored.position.topic == .requests,
            HomePartition.of(user: user, count: environment.partitions) == self.stored.position.partition
        else { return self }
        error.userID = user
        var named = self
        named.reading = Reading(self.stored, error)
        return named
    }

    private static func reading(_ stored: StoredRecord, _ crash: CrashVerdict?) -> Reading {
        guard let crash, crash.isUndecoded else {
            do throws(EventDecodingError) {
                return Reading(stored, try stored.decoded())
            } catch {
                return Reading(stored, error)
            }
        }
        return Reading(stored, Event.unread(stored.content, detail: crash.description))
    }

    package var stored: StoredRecord { self.reading.stored }

    /// The event in it, or the readable parts of one that cannot be decoded; read in place, since an event is large to copy.
    package var event: Event { @inline(__always) _read { yield self.reading.event } }

    /// Why the record holds no event; nil if it does.
    package var error: EventDecodingError? { self.reading.error }

    /// Whether the record holds an event.
    var isDecoded: Bool { self.reading.error == nil }

    /// The user of the turn; empty when the user cannot be determined.
    package var userID: UserID { self.reading.event.userID }

    /// Whether the event was not decoded: then it must not be kept, since it would be decoded again.
    var isUndecoded: Bool { self.crash?.isUndecoded ?? false }

    /// The home partition of the event, if a client has put it into another one (R1).
    func partitionElsewhere(_ environment: StageEnvironment) -> Int? {
        guard self.stored.position.topic == .requests, !self.userID.isEmpty else { return nil }
        let home = HomePartition.of(user: self.userID, count: environment.partitions)
        return home == self.stored.position.partition ? nil : home
    }
}
