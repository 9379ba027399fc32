import IntentEvents
import IntentRuntime
import KafkaLog
import Testing

/// The properties of a configuration that are accepted or refused.
struct ConfigurationTests {
    @Test func aPropertyThatDoesNotExistIsNamed() async {
        let error = await Self.error(of: ["no.such.property": "1"])
        #expect(error?.code == .configuration)
        #expect(error?.message.contains("no.such.property") == true)
    }

    @Test func aRefusedValueIsNotRepeated() async {
        let error = await Self.error(of: ["socket.timeout.ms": "s3cret"])
        #expect(error?.code == .configuration)
        #expect(error?.message.contains("socket.timeout.ms") == true)
        #expect(error?.description.contains("s3cret") == false)
    }

    @Test(arguments: ["isolation.level", "enable.auto.commit", "transactional.id", "group.id"])
    func whatPromisesRestOnCannotBeSet(_ name: String) async {
        let error = await Self.error(of: [name: "x"])
        #expect(error?.code == .configuration)
        #expect(error?.message.contains(name) == true)
    }

    @Test func propertiesReachConsumersAndProducers() async throws {
        // One that belongs only to producers, and one that belongs only to consumers.
        let properties = ["linger.ms": "0", "fetch.min.bytes": "1", "client.id": "mine"]
        try await TestBroker.with { broker in
            var configuration = broker.configuration
            configuration.properties = properties
            let log = KafkaLog(configuration)
            _ = try await log.createTopics([TopicDescription(name: "t", partitions: 1)])
            let lane = try await log.makeLane(LaneConfiguration(group: "g", topics: ["t"], name: "l"))
            await lane.close()
            let producer = try await log.makeProducer()
            await producer.close()
            await log.close()
        }
    }

    private static func error(of properties: [String: String]) async -> LogError? {
        var configuration = TestBroker.configuration("127.0.0.1:1")
        configuration.properties = properties
        let log = KafkaLog(configuration)
        defer { withExtendedLifetime(log) {} }
        do {
            _ = try await log.makeLane(LaneConfiguration(group: "g", topics: ["t"], name: "l"))
            return nil
        } catch {
            return error
        }
    }
}
