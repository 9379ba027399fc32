package import IntentRuntime

/// Checks everything that ``EventLog`` and its lanes, readers and producers promise in their documentation, on any
/// driver.
///
/// Each ``Check`` creates topics and groups with names of its own, so checks run side by side and on a log with other
/// content. No check needs more than a few multiples of ``Conditions/sessionTimeout``.
package struct EventLogConformance: Sendable {
    /// What the suite must know about the log.
    package struct Conditions: Sendable {
        /// The session time-out of the suite's lanes, in milliseconds: as short as the log allows.
        package var sessionTimeout: Int
        /// The longest that a driver may take for what should happen soon.
        package var timeout: Duration
        /// Begins a transaction as a client of the log does, writes these records in it, and leaves it open.
        package var beginTransaction: @Sendable (_ records: [OutgoingRecord]) async throws -> any ClientTransaction

        /// Creates the conditions.
        package init(
            sessionTimeout: Int,
            timeout: Duration = .seconds(25),
            beginTransaction:
                @escaping @Sendable (_ records: [OutgoingRecord]) async throws -> any ClientTransaction
        ) {
            self.sessionTimeout = sessionTimeout
            self.timeout = timeout
            self.beginTransaction = beginTransaction
        }
    }

    /// The log.
    package let log: any EventLog
    /// What the suite must know about it.
    package let conditions: Conditions
    /// The prefix of the names of this run's topics and groups.
    let run: String

    /// Prepares to check a log.
    package init(_ log: any EventLog, conditions: Conditions) {
        self.log = log
        self.conditions = conditions
        self.run = "conformance-\(String(UInt32.random(in: 0 ... .max), radix: 36))"
    }

    /// Runs one check.
    /// - Throws: ``ConformanceFailure`` when the promise is not kept, or the log's own error.
    package func run(_ check: Check) async throws {
        try await check.body(Workbench(self, check: check.name))
    }
}
