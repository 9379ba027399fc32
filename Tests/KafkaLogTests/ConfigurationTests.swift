import CRDKafka
import IntentEvents
import IntentRuntime
import Testing

@testable import KafkaLog

/// The properties of a configuration that are accepted or refused.
struct ConfigurationTests {
    @Test func namesUnknownProperty() async {
        let error = await Self.error(of: ["no.such.property": "1"])
        #expect(error?.code == .configuration)
        #expect(error?.message.contains("no.such.property") == true)
    }

    @Test func refusedValueIsNotPrinted() async {
        let error = await Self.error(of: ["socket.timeout.ms": "s3cret"])
        #expect(error?.code == .configuration)
        #expect(error?.message.contains("socket.timeout.ms") == true)
        #expect(error?.description.contains("s3cret") == false)
    }

    @Test(arguments: ["isolation.level", "enable.auto.commit", "transactional.id", "group.id"])
    func refusesPropertiesThatPromisesDependOn(_ name: String) async {
        let error = await Self.error(of: [name: "x"])
        #expect(error?.code == .configuration)
        #expect(error?.message.contains(name) == true)
    }

    /// librdkafka 2.0 knows neither; the error is the same with a version that does.
    @Test(arguments: [("group.protocol", "consumer"), ("group.remote.assignor", "uniform")])
    func refusesAssignmentByBroker(_ name: String, _ value: String) async {
        let error = await Self.error(of: [name: value])
        #expect(error?.code == .configuration)
        #expect(error?.message.contains("\(name) cannot be set: a lane must get the same partition") == true)
    }

    @Test(.timeLimit(.minutes(1)))
    func propertiesReachConsumersAndProducers() async throws {
        // One that belongs only to producers, and one that belongs only to consumers.
        let properties = ["queue.buffering.max.messages": "7000", "fetch.min.bytes": "3", "client.id": "mine"]
        try await TestBroker.with { broker in
            var configuration = broker.configuration
            configuration.properties = properties
            let made = try ClientProperties(configuration, role: "producer").makeConfiguration()
            defer { rd_kafka_conf_destroy(made) }
            for (name, value) in properties { #expect(Self.value(name, of: made) == value) }
            #expect(Self.value("bootstrap.servers", of: made) == broker.address)
            let log = KafkaLog(configuration)
            _ = try await log.createTopics([TopicDescription(name: "t", partitions: 1)])
            let producer = try await log.makeProducer()
            await producer.close()
            let lane = try await log.makeLane(LaneConfiguration(group: "g", topics: ["t"], name: "l"))
            var isAssigned = false
            while !isAssigned {
                for event in try await lane.poll(maxRecords: 1, timeout: .milliseconds(200)) {
                    guard case .assigned(let offsets) = event else { continue }
                    try await lane.start(at: offsets)
                    isAssigned = true
                }
            }
            // The group knows the lane by the operator's name.
            #expect(try await log.members(of: "g").map(\.name) == ["mine"])
            await lane.close()
            await log.close()
        }
    }

    /// What a client that is made of a configuration has for a property.
    private static func value(_ name: String, of configuration: OpaquePointer) -> String? {
        var bytes = [CChar](repeating: 0, count: 256)
        var size = bytes.count
        guard rd_kafka_conf_get(configuration, name, &bytes, &size) == RD_KAFKA_CONF_OK else { return nil }
        return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
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
