/// The settings of stages; every value has the contract's default.
package struct RuntimeSettings: Hashable, Sendable {
    /// How long a request with the same id counts as the client's retry (R8).
    package var dedupeWindow: Duration = .seconds(3_600)
    /// What becomes of events with members that are not read (R79).
    package var unknownMembers = UnknownMembers.warn
    /// How many answers may fail to settle a parameter (R24).
    package var promptMaxAttempts = 3
    /// How long a prompt waits for its answer (R24).
    package var promptTimeout: Duration = .seconds(300)
    /// How many turns an interaction may take (R24).
    package var maxTurns = 50
    /// How long an interaction may take (R24).
    package var maxAge: Duration = .seconds(86_400)
    /// How long an interaction may wait for an unlocked device or a sign-in (R26).
    package var parkedMaxAge: Duration = .seconds(7 * 86_400)
    /// The IANA name of the time zone of users whose requests have none (R73).
    package var timeZone = "UTC"
    /// Whether words in place of a value are read (R73).
    package var readsWords = true
    /// When the user is notified that it takes longer (R32).
    package var inProgressAfter: Duration = .seconds(2)
    /// How often the reports of a handler reach the user (R74).
    package var reportEvery: Duration = .seconds(1)
    /// When a handler is cancelled (R32).
    package var handlerTimeout: Duration = .seconds(300)
    /// How long the app has to finish what was handed to it (R33).
    package var appTimeout: Duration = .seconds(600)
    /// How often a turn with a transient error is tried (R35).
    package var maxTries = 8
    /// How many processes may crash while a turn runs before it has to run alone (R56).
    package var maxCrashes = 3
    /// For how long a turn with a transient error is tried (R35).
    package var retryWindow: Duration = .seconds(30)
    /// The maximum number of records in a batch (R3).
    ///
    /// A poll can return records of one partition only. The journal's records of that many requests fit into one batch of
    /// the client library (`batch.size`, 1,000,000 bytes). While records that do not fit wait, its thread polls without a
    /// pause.
    package var batchMaxRecords = 800
    /// The maximum time that a batch waits for its turns (R3).
    package var batchMaxDelay: Duration = .milliseconds(100)
    /// How long a turn may delay its batch before it is parked (R5).
    package var parkAfter: Duration = .milliseconds(10)
    /// How many users' turns run concurrently (R4).
    package var handlerConcurrency = 64
    /// How many events of a user may wait behind a parked turn (R5).
    package var queueLimit = 100
    /// How many of those are in memory, the next ones; the others are on disk.
    package var queueHead = 8
    /// About how many bytes of state a lane keeps in memory; the rest is on disk.
    package var stateMemory = 256 << 20
    /// The state of users with events within this time stays in memory, whatever its size.
    package var stateRetention: Duration = .seconds(1)
    /// How many state entries of a lane may change before a checkpoint.
    ///
    /// A lane that comes back after a crash reads that many, which takes less than a second. The more they are, the
    /// more of them share a page of the file.
    package var stateLag = 150_000
    /// The number of parked turns at which a lane stops reading input.
    package var maxParked = 10_000
    /// The formats of records that are read, and the one that is written.
    package var formats = RecordFormats.current

    /// The contract's defaults.
    package init() {}

    /// How strictly clients' events are read (R79c).
    package enum UnknownMembers: String, Sendable, CaseIterable {
        /// Nothing is looked for.
        case ignore
        /// What clients probably did not mean is named.
        case warn
        /// An event with it is refused.
        case reject
    }
}

extension Duration {
    /// Whole milliseconds, rounded down, clamped to 64 bits.
    package var milliseconds: Int64 {
        let (seconds, attoseconds) = self.components
        return Int64(clamping: Int128(seconds) * 1_000 + Int128(attoseconds / 1_000_000_000_000_000))
    }
}
