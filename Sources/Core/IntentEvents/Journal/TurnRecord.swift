internal import IntentKit

/// What a turn itself knows of its record: the rest is known when its batch is assembled.
package struct TurnDraft: Hashable, Sendable {
    /// The behaviour of the version that ran the turn; 1 in records of versions that named none.
    package var behaviour = TurnRecord.currentBehaviour
    package var stage: Stage
    /// The event that was processed.
    package var position: RecordPosition
    package var eventID: String
    package var eventType: String
    package var userID: UserID
    /// The interaction that the turn acted on, if any.
    package var interactionID: InteractionID?
    /// The position of its request, `partition:offset`.
    package var request: RequestID?
    /// The intent of the interaction, if any.
    package var intentName: String?
    /// Whether this turn began the interaction.
    package var opened = false
    /// The turn's clock.
    package var at: Timestamp
    /// When the last handler answered, if that took long; deadlines count from it.
    package var until: Timestamp?
    /// When the first try began, if this is a later one.
    package var firstTriedAt: Timestamp?
    package var attempt: Int
    package var worker: String
    /// The handler's name, if one ran.
    package var handlerName: String?
    /// The handler's version, if one ran.
    package var handlerVersion: String?
    /// Whether a handler saw the answer that a scenario wants from the service.
    package var isScripted = false
    /// Whether its reads were too large to be kept: such a turn cannot be run again (R47).
    package var isTruncated = false
    /// Whether `dead-letters redrive` has sent the request, by the deployment's key.
    ///
    /// Nil for a request that does not claim it, and in records from before there were keys (R48).
    package var isRedriven: Bool?
    /// Whether `waiting decide` has sent the decision, by the deployment's key; nil for all other events (R76).
    package var isDecided: Bool?
    /// The verdict with which it ended without its handler, if there was one (R56).
    package var crash: CrashVerdict?
    /// The pause that held its interaction, if one did (R82).
    package var held: Pause?
    package var outcome: TurnOutcome
    /// What the event's client probably did not mean (R79).
    package var mistakes: [ClientMistake] = []
    /// What the running handler said, if the record is about that alone (R74).
    package var note: TurnNote?
    /// What the interaction waits for now, if it is the next attempt or an operator (R80).
    package var wait: TurnWait?
    /// The canonical texts of the state entries that it read, before the turn; ``TurnRecord/absent`` for a missing entry.
    package var before: SortedMap<StateName, [UInt8]> = [:]
    /// Answers from outside, in order.
    package var reads: [JournalRead] = []

    package init(
        stage: Stage,
        position: RecordPosition,
        eventID: String,
        eventType: String,
        userID: UserID,
        at: Timestamp,
        attempt: Int,
        worker: String,
        outcome: TurnOutcome
    ) {
        self.stage = stage
        self.position = position
        self.eventID = eventID
        self.eventType = eventType
        self.userID = userID
        self.at = at
        self.attempt = attempt
        self.worker = worker
        self.outcome = outcome
    }
}

/// What is known of a turn only when its batch is assembled, as texts of its record: they are written in place, and their
/// memory serves one turn after the other.
package struct TurnSeal: Hashable, Sendable {
    /// 0, or the number of the continuation.
    package var generation = 0
    /// SHA-256 of the event's key, value and headers, in hex.
    package var eventDigest: [UInt8] = []
    /// Its outputs, in order: elements of a JSON array.
    package private(set) var outputs: [UInt8] = []
    /// The digest of the previous turn in this stage and partition, in hex; empty for the first.
    package var previousDigest: [UInt8]

    /// Starts without outputs, after the turn with that digest.
    package init(previousDigest: String) { self.previousDigest = Array(previousDigest.utf8) }

    /// Adds an output; `digest` appends its digest in hex.
    package mutating func add(output target: String, digest: (inout [UInt8]) -> Void) {
        if !self.outputs.isEmpty { self.outputs.append(UInt8(ascii: ",")) }
        JSONText.append(to: &self.outputs) { text in
            text.beginArray()
            text.string(target)
            text.string(digest)
            text.endArray()
        }
    }

    /// Removes all outputs: those of another turn follow.
    package mutating func removeOutputs() { self.outputs.removeAll(keepingCapacity: true) }
}

/// What a turn depended on and what it did: one record on `journal`, written in the turn's own transaction (R41, R42).
///
/// The record's headers (user, interaction, request, stage, the event's id, the time) are part of it and are not
/// repeated in its value. Neither is what the event itself holds.
@dynamicMemberLookup
package struct TurnRecord: Hashable, Sendable {
    package struct Output: Hashable, Sendable {
        /// The topic; for `state` the entry's name follows after a colon.
        package var target: String
        /// SHA-256 of the record's key, value and headers, in hex; for `state` of the value alone, empty for a removed
        /// entry.
        package var digest: String

        /// The state entry, if it is one.
        package var stateName: StateName? {
            guard self.target.utf8.starts(with: Self.statePrefix.utf8) else { return nil }
            return StateName(String(decoding: self.target.utf8.dropFirst(Self.statePrefix.utf8.count), as: UTF8.self))
        }

        private static let statePrefix = "state:"

        /// Names a state entry as an output.
        package static func target(_ name: StateName) -> String { Self.statePrefix + name.text }

        package init(target: String, digest: String) {
            self.target = target
            self.digest = digest
        }
    }

    /// The behaviour of this version of intentd (R42).
    ///
    /// It is raised whenever the same inputs lead a turn to other outputs, because of other rules, wording or encoding.
    /// `GoldenJournalTests` fails when it should have been raised. Handlers have versions of their own.
    /// 2: the rules about disagreeing users, reused ids, early timers, sizes, and unreadable state.
    /// 3: the words of prompts, and the values that they offer.
    /// 4: what prompts accept and why they are put again, and whom a rejection concerns; turns of 3 run as they did.
    /// 5: idempotency keys made from requests, what a redriven request takes over, titles of enumerations as values
    /// wherever values are said, all effects of the ledger in a terminal response, and more reasons for putting a
    /// question again; turns of 3 and 4 run as they did.
    /// 6: what options are called, in prompts and in answers, and words in place of values; turns of 3 to 5 run as they
    /// did.
    package static let currentBehaviour = 7

    /// What the turn itself knew.
    package var draft: TurnDraft
    /// 0, or the number of the continuation.
    package var generation: Int
    /// SHA-256 of the event's key, value and headers, in hex.
    package var eventDigest: String
    /// Its outputs, in order.
    package var outputs: [Output]
    /// The digest of the previous turn in this stage and partition; empty for the first.
    ///
    /// A turn's digest is the SHA-256 of its record on `journal`, key, value and headers: it covers all of this,
    /// including the previous digest (R41).
    package var previousDigest: String

    /// The placeholder for a missing state entry.
    package static let absent = Array("null".utf8)

    /// Completes a draft.
    package init(_ draft: TurnDraft, generation: Int, eventDigest: String, outputs: [Output], previousDigest: String) {
        self.draft = draft
        self.generation = generation
        self.eventDigest = eventDigest
        self.outputs = outputs
        self.previousDigest = previousDigest
    }

    package subscript<Value>(dynamicMember path: WritableKeyPath<TurnDraft, Value>) -> Value {
        get { self.draft[keyPath: path] }
        set { self.draft[keyPath: path] = newValue }
    }

    /// What follows from what the turn itself knew.
    package subscript<Value>(dynamicMember path: KeyPath<TurnDraft, Value>) -> Value { self.draft[keyPath: path] }
}
