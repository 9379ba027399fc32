/// What can be set about how stages work; every value has the contract's default.
package struct RuntimeSettings: Hashable, Sendable {
    /// How long a request with the same id counts as the client's retry (R8).
    package var dedupeWindow: Duration = .seconds(3_600)
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
    /// When the user is told that it takes longer (R32).
    package var inProgressAfter: Duration = .seconds(2)
    /// When a handler is cancelled (R32).
    package var handlerTimeout: Duration = .seconds(300)
    /// How long the app has to finish what was handed to it (R33).
    package var appTimeout: Duration = .seconds(600)
    /// How often a turn is tried when its error may pass (R35).
    package var maxTries = 5
    /// How many processes may die while a turn runs before it has to run alone (R56).
    package var maxCrashes = 3
    /// For how long it is tried (R35).
    package var retryWindow: Duration = .seconds(30)
    /// How many records a batch takes at most (R3).
    package var batchMaxRecords = 1_000
    /// How long a batch waits for its turns at most (R3).
    package var batchMaxDelay: Duration = .milliseconds(100)
    /// How long a turn may hold its batch up before it is parked (R5).
    package var parkAfter: Duration = .milliseconds(10)
    /// How many users' turns run at once (R4).
    package var handlerConcurrency = 64
    /// How many events of a user wait behind a parked turn (R5).
    package var queueLimit = 100
    /// How many of those are in memory, the next ones; the others wait on disk.
    package var queueHead = 8
    /// About how many bytes of state a lane keeps in memory; the rest waits on disk.
    package var stateMemory = 256 << 20
    /// The state of users who were heard of this recently stays in memory, whatever it takes.
    package var stateRetention: Duration = .seconds(1)
    /// How many state entries of a lane may change until its file is brought up to date.
    ///
    /// So many it reads when it comes back after a crash, which takes less than a second. The more they are, the more of
    /// them share a page of the file.
    package var stateLag = 150_000
    /// How many parked turns a lane has before it takes no more input.
    package var maxParked = 10_000
    /// Which formats of records are read, and which one is written.
    package var formats = RecordFormats.current

    /// The contract's defaults.
    package init() {}
}

extension Duration {
    /// Whole milliseconds, rounded down; what is beyond 64 bits stays at their end.
    package var milliseconds: Int64 {
        let (seconds, attoseconds) = self.components
        return Int64(clamping: Int128(seconds) * 1_000 + Int128(attoseconds / 1_000_000_000_000_000))
    }
}
