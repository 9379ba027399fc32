import IntentTestKit
import KafkaLog
import Testing

/// KafkaLog keeps the promises of the log on a real broker.
@Suite(.enabled(if: TestBroker.external != nil, "INTENTD_TEST_BROKERS names no broker"))
struct KafkaLogConformanceTests {
    private static let conformance: EventLogConformance = {
        var configuration = KafkaLog.Configuration(brokers: [TestBroker.external ?? ""])
        configuration.maximumPollInterval = .seconds(6)
        return EventLogConformance(
            KafkaLog(configuration),
            conditions: EventLogConformance.Conditions(sessionTimeout: 6_000)
        )
    }()

    @Test(arguments: EventLogConformance.Check.all)
    func keepsItsPromise(_ check: EventLogConformance.Check) async throws {
        try await Self.conformance.run(check)
    }
}
