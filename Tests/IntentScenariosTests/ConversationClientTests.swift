import InMemoryLog
import IntentEvents
import IntentKit
import IntentRuntime
import IntentScenarios
import Testing

@Suite("Conversations over one client", .timeLimit(.minutes(1)))
struct ConversationClientTests {
    private static func event(_ id: String, about subject: InteractionID) -> Event {
        Event(
            id: id,
            source: "/tests",
            type: .intentResponded,
            time: Timestamp(milliseconds: 0),
            subject: subject,
            userID: "anna",
            data: ["terminal": true, "user": ["id": "anna"]]
        )
    }

    @Test("What is said is sent, what comes back goes to its conversation, and a wait ends in time and with the client")
    func sendsAndReceivesByConversation() async throws {
        let log = InMemoryLog()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 2), on: log)
        let client = try await ConversationClient(deployment, on: log)
        let running = Task { try await client.run() }
        let conversation = client.open(id: "i1", userID: "anna")
        let request = conversation.makeEvent(
            EventType.intentRequested.rawValue,
            data: ["intent": ["name": "OrderTea"], "user": ["id": "anna"]]
        )
        try await conversation.send([request])
        let requests = (0..<2).map { TopicPartition(Topic.requests.name(prefix: deployment.prefix), $0) }
        let home = requests[HomePartition.of(user: "anna", count: 2)]
        #expect(try await log.offsets(requests, at: .end)[home] == 1)
        await #expect(throws: Conversation.Failure.timedOut) {
            try await conversation.next(timeout: .milliseconds(1))
        }
        let producer = try await log.makeProducer()
        let topicPartition = TopicPartition(Topic.responses.name(prefix: deployment.prefix), 0)
        let responses = [Self.event("r0", about: "i2"), Self.event("r1", about: "i1"), Self.event("r2", about: "i1")]
        _ = try await producer.send(
            responses.map { OutgoingRecord(topicPartition: topicPartition, content: $0.content) }
        )
        #expect(try await conversation.next(timeout: .seconds(30)).id == "r1")
        #expect(try await conversation.next(timeout: .seconds(30)).id == "r2")
        running.cancel()
        _ = await running.result
        await #expect(throws: Conversation.Failure.self) { try await conversation.next(timeout: .seconds(30)) }
        await producer.close()
        await log.close()
    }
}
