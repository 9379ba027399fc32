/// What a turn depended on and what it did: one record on `journal`, written in the turn's own transaction (R41,
/// R42).
///
/// The record's headers are part of it: what they say (user, interaction, request, stage, the event's id, the time) is
/// not said again in its value, and neither is what the event itself holds.
package struct TurnRecord: Hashable, Sendable {
    /// An output as the journal names it.
    package struct Output: Hashable, Sendable {
        /// The topic; for `state` the entry's name follows after a colon.
        package var target: String
        /// SHA-256 of the record's key, value and headers, in hex; for `state` of the value alone, empty for an entry
        /// that was removed.
        package var digest: String

        /// The state entry, if it is one.
        package var stateName: StateName? {
            guard self.target.utf8.starts(with: Self.statePrefix.utf8) else { return nil }
            return StateName(String(decoding: self.target.utf8.dropFirst(Self.statePrefix.utf8.count), as: UTF8.self))
        }

        private static let statePrefix = "state:"

        /// Names a state entry as an output.
        package static func target(_ name: StateName) -> String { Self.statePrefix + name.text }

        /// Describes an output.
        package init(target: String, digest: String) {
            self.target = target
            self.digest = digest
        }
    }

    /// The behaviour of this version of intentd: raised whenever a turn comes to other outputs for the same inputs, by
    /// other rules, wording or encoding (R42).
    ///
    /// `GoldenJournalTests` fails when it should have been raised. Handlers have versions of their own.
    /// 2: the rules of users that disagree, of ids used again, of early timers, of sizes, and of state that cannot be
    /// read.
    /// 3: what prompts say, and the values that they offer.
    package static let currentBehaviour = 3

    /// The behaviour of the version that ran the turn; records of versions that named none are of 1.
    package var behaviour: Int
    /// Whose turn it was.
    package var stage: Stage
    /// The event that was processed.
    package var position: RecordPosition
    /// 0, or which continuation of that event it is.
    package var generation: Int
    /// The event's id.
    package var eventID: String
    /// The event's type.
    package var eventType: String
    /// SHA-256 of the event's key, value and headers, in hex.
    package var eventDigest: String
    /// The user.
    package var userID: UserID
    /// The interaction that the turn acted on, if any.
    package var interactionID: InteractionID?
    /// The position of its request, `partition:offset`.
    package var request: RequestID?
    /// The intent of the interaction, if any.
    package var intentName: String?
    /// Whether this turn began the interaction.
    package var opened: Bool
    /// The turn's clock.
    package var at: Timestamp
    /// When the last handler answered, if that took long: deadlines count from it.
    package var until: Timestamp?
    /// When the first try began, if this is a later one.
    package var firstTriedAt: Timestamp?
    /// Which try it was.
    package var attempt: Int
    /// Who ran it.
    package var worker: String
    /// The handler's name and version, if one ran.
    package var handlerName: String?
    /// The handler's version, if one ran.
    package var handlerVersion: String?
    /// Whether a handler saw what a scenario wants the service to answer.
    package var isScripted: Bool
    /// Whether what it read was too large to be kept: such a turn cannot be run again (R47).
    package var isTruncated: Bool
    /// Whether `dead-letters redrive` has sent the request, by the deployment's key; nil for one that claims nothing, and
    /// in records from before there were keys (R48).
    package var isRedriven: Bool?
    /// The verdict under which it ended without its handler, if there was one (R56).
    package var crash: CrashVerdict?
    /// What became of it.
    package var outcome: TurnOutcome
    /// The canonical texts of the state entries that it read, as they were; ``absent`` for one that was not there.
    package var before: SortedMap<StateName, [UInt8]>
    /// Answers from outside, in order.
    package var reads: [JournalRead]
    /// What it wrote, in order.
    package var outputs: [Output]
    /// The digest of the turn before it in this stage and partition; empty for the first.
    ///
    /// A turn's digest is the SHA-256 of its record on `journal`, key, value and headers: it covers all of this, the
    /// digest before it included (R41).
    package var previousDigest: String

    /// What stands for a state entry that was not there.
    package static let absent = Array("null".utf8)

    /// Describes a turn; outputs and digests are filled in when its batch is put together.
    package init(
        stage: Stage,
        position: RecordPosition,
        generation: Int,
        eventID: String,
        eventType: String,
        userID: UserID,
        at: Timestamp,
        attempt: Int,
        worker: String,
        outcome: TurnOutcome
    ) {
        self.behaviour = Self.currentBehaviour
        self.stage = stage
        self.position = position
        self.generation = generation
        self.eventID = eventID
        self.eventType = eventType
        self.eventDigest = ""
        self.userID = userID
        self.opened = false
        self.at = at
        self.attempt = attempt
        self.worker = worker
        self.isScripted = false
        self.isTruncated = false
        self.outcome = outcome
        self.before = [:]
        self.reads = []
        self.outputs = []
        self.previousDigest = ""
    }
}
