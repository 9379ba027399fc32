import InMemoryLog
import IntentTestKit
import Testing

/// The log in memory keeps the promises of the log.
struct InMemoryLogConformanceTests {
    private static let conformance = EventLogConformance(
        InMemoryLog(),
        conditions: EventLogConformance.Conditions(sessionTimeout: 200)
    )

    @Test(arguments: EventLogConformance.Check.all)
    func keepsItsPromise(_ check: EventLogConformance.Check) async throws {
        try await Self.conformance.run(check)
    }
}
