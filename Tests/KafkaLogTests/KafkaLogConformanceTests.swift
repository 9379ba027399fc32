import IntentLab
import KafkaLog
import Testing

/// KafkaLog keeps the promises of the log on the embedded broker.
@Suite(.embeddedBroker)
struct EmbeddedBrokerConformanceTests {
    @Test(arguments: EventLogConformance.Check.all)
    func passesConformanceSuite(_ check: EventLogConformance.Check) async throws {
        try await check.run(on: BrokerTrait.address, sessionTimeout: 3_000)
    }
}

/// KafkaLog keeps the promises of the log on the broker that `INTENTD_TEST_BROKERS` names.
@Suite(.enabled(if: TestBroker.external != nil, "INTENTD_TEST_BROKERS names no broker"))
struct ExternalBrokerConformanceTests {
    @Test(arguments: EventLogConformance.Check.all)
    func passesConformanceSuite(_ check: EventLogConformance.Check) async throws {
        // Kafka's default allows no less than six seconds.
        try await check.run(on: TestBroker.external ?? "", sessionTimeout: 6_000)
    }
}

extension EventLogConformance.Check {
    /// Checks a log of its own on this broker.
    fileprivate func run(on address: String, sessionTimeout: Int) async throws {
        var configuration = TestBroker.configuration(address)
        configuration.maximumPollInterval = .milliseconds(sessionTimeout)
        let log = KafkaLog(configuration)
        let client = configuration
        let conditions = EventLogConformance.Conditions(sessionTimeout: sessionTimeout) { records in
            let transaction = TestTransaction(client)
            try await transaction.begin(records)
            return transaction
        }
        do {
            try await EventLogConformance(log, conditions: conditions).run(self)
            await log.close()
        } catch {
            await log.close()
            throw error
        }
    }
}
