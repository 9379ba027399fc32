import InMemoryLog
import IntentEvents
import IntentRuntime
import Testing

@testable import IntentOperations

@Suite("Commands on a log")
struct LogAccessTests {
    private struct Failure: Error {}

    private static func log(_ topics: [TopicName] = []) async throws -> InMemoryLog {
        let log = InMemoryLog()
        _ = try await log.createTopics(topics.map { TopicDescription(name: $0, partitions: 2) })
        return log
    }

    private static func isClosed(_ log: InMemoryLog) async -> Bool {
        do throws(LogError) {
            _ = try await log.topics()
            return false
        } catch {
            return error.code == .closed
        }
    }

    @Test("The log is open while it is used, and closed afterwards, also after an error")
    func closesLogAfterUse() async throws {
        let log = try await Self.log()
        let access = LogAccess(log: log, brokers: [], host: nil, isEmbedded: false)
        #expect(try await access.use { try await $0.topics().count } == 0)
        #expect(await Self.isClosed(log))
        let other = try await Self.log()
        await #expect(throws: Failure.self) {
            try await LogAccess(log: other, brokers: [], host: nil, isEmbedded: false).use { _ in throw Failure() }
        }
        #expect(await Self.isClosed(other))
    }

    @Test("Topics are found by name with or without the prefix; no names mean all topics of the deployment")
    func findsTopicsWithOrWithoutPrefix() async throws {
        let log = try await Self.log(["intents.requests", "intents.journal", "other"])
        func names(_ names: [String], prefix: String = "intents") async throws -> [TopicName] {
            try await TopicSelection(names, prefix: prefix, log: log).topics.map(\.name)
        }
        func failure(_ given: [String], prefix: String = "intents") async -> OperationError? {
            do {
                _ = try await names(given, prefix: prefix)
                return nil
            } catch {
                return error as? OperationError
            }
        }
        #expect(try await Set(names([])) == ["intents.requests", "intents.journal"])
        let named = try await names(["journal", "intents.requests", "other"])
        #expect(named == ["intents.journal", "intents.requests", "other"])
        // Any topic can be named where the deployment has none, but then there is nothing to show by default.
        #expect(try await names(["other"], prefix: "none") == ["other"])
        #expect(await failure([], prefix: "none")?.code == .configuration)
        #expect(await failure(["resolved"])?.code == .noInput)
        let selection = try await TopicSelection(["journal"], prefix: "intents", log: log)
        #expect(selection.partitions == [TopicPartition("intents.journal", 0), TopicPartition("intents.journal", 1)])
    }

    @Test("A broker that does not answer is reported, also where no group is measured; the lag is what is unread")
    func probeReportsSilentBrokerAndLag() async throws {
        let log = InMemoryLog()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 2), on: log)
        let probe = Probe(log: log, deployment: deployment, ledger: nil)
        let producer = try await log.makeProducer()
        let requests = Topic.requests.name(prefix: deployment.prefix)
        _ = try await producer.send(
            (0..<3).map { OutgoingRecord(topicPartition: TopicPartition(requests, $0 % 2), key: nil, value: [1]) }
        )
        let signals = Topic.signals.name(prefix: deployment.prefix)
        func lags() async throws -> [TopicName: Int64] {
            let groups = try #require(await probe.askGroups([.resolve]))
            #expect(groups.map(\.group) == ["intents.resolve"])
            return groups[0].lags
        }
        #expect((try? await probe.askBroker().get()) != nil)
        #expect(try await lags() == [requests: 3, signals: 0])
        // Nobody can read what an open transaction has written: it is no lag until it is committed.
        let open = try log.beginTransaction(
            (0..<2).map { OutgoingRecord(topicPartition: TopicPartition(requests, $0), key: nil, value: [2]) }
        )
        #expect(try await lags() == [requests: 3, signals: 0])
        try open.commit()
        #expect(try await lags()[requests] ?? 0 >= 5)
        #expect(await probe.askGroups([]) == [])
        #expect(await probe.askStore() == nil)
        await log.close()
        let answer = await probe.askBroker()
        #expect(throws: Probe.Failure.self) { try answer.get() }
        #expect(await probe.askGroups([.resolve]) == nil)
    }
}
