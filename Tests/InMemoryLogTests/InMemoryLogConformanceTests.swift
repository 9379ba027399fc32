import InMemoryLog
import IntentLab
import Testing

/// The log in memory keeps the promises of the log.
struct InMemoryLogConformanceTests {
    private static let conformance = {
        let log = InMemoryLog()
        let conditions = EventLogConformance.Conditions(sessionTimeout: 200) { records in
            try log.beginTransaction(records)
        }
        return EventLogConformance(log, conditions: conditions)
    }()

    @Test(arguments: EventLogConformance.Check.all)
    func passesConformanceSuite(_ check: EventLogConformance.Check) async throws {
        try await Self.conformance.run(check)
    }
}

extension InMemoryTransaction: ClientTransaction {}
