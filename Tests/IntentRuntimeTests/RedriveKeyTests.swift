import InMemoryLog
import IntentEvents
import IntentKit
import Testing

@testable import IntentRuntime

@Suite("R48: the deployment's key for redriven requests")
struct RedriveKeyTests {
    private func request(of deployment: Deployment, origin: String = "0:7") -> Event {
        let proof = "\(deployment.id)|redrive|\(origin)|3|ada|i1~1"
        var event = Event(
            id: String(RecordDigest.of(Array(proof.utf8)).prefix(32)),
            source: "/intentd/dead-letters",
            type: .intentRequested,
            time: Timestamp(milliseconds: 0),
            subject: "i1~1",
            userID: "ada",
            data: [:]
        )
        event.passedThrough[EventHeaderName.redriveOf] = origin
        return event
    }

    private func write(_ count: Int, to partition: Int, on log: InMemoryLog) async throws {
        let topicPartition = TopicPartition("intents.requests", partition)
        let producer = try await log.makeProducer()
        for _ in 0..<count {
            _ = try await producer.send([OutgoingRecord(topicPartition: topicPartition, key: nil, value: [0x7B, 0x7D])])
        }
        await producer.close()
    }

    @Test("Of all that start at once, one makes the key, and all get that one")
    func oneKeyIsMadeForAll() async throws {
        let log = InMemoryLog()
        let deployment = try await Deployment.create(TopicPlan(partitions: 2), on: log).deployment
        #expect(try await deployment.redriveKey(on: log) == nil)
        let keys = try await withThrowingTaskGroup(of: RedriveKey.self) { group in
            for _ in 0..<16 { group.addTask { try await deployment.makeRedriveKey(on: log) } }
            return try await group.reduce(into: Set<RedriveKey>()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
        #expect(try await deployment.redriveKey(on: log) == keys.first)
        let other = try await Deployment.create(TopicPlan(prefix: "other", partitions: 2), on: log).deployment
        #expect(try await other.makeRedriveKey(on: log) != keys.first)
    }

    @Test("Redrives from before the key still count; after it only the key proves one")
    func redrivesFromBeforeTheKeyStillCount() async throws {
        let log = InMemoryLog()
        let deployment = try await Deployment.create(TopicPlan(partitions: 2), on: log).deployment
        try await self.write(3, to: 1, on: log)
        let key = try await deployment.makeRedriveKey(on: log)
        try await self.write(3, to: 1, on: log)
        let old = self.request(of: deployment)
        func proves(_ event: Event, _ partition: Int, _ offset: Int64) -> Bool {
            key.proves(event, at: RecordPosition(.requests, partition, offset), of: deployment.id)
        }
        #expect(proves(old, 1, 2))
        #expect(!proves(old, 1, 3))
        #expect(!proves(old, 0, 0))
        var new = old
        new.id = key.identifier(origin: "0:7", user: "ada", interaction: "i1~1", data: new.data)
        #expect(proves(new, 0, 0) && proves(new, 1, 99))
        for change: (inout Event) -> Void in [
            { $0.userID = "bob" }, { $0.subject = "i1~2" }, { $0.passedThrough[EventHeaderName.redriveOf] = "0:8" },
            { $0.id = "0" + $0.id.dropFirst() + "0" }, { $0.subject = nil },
        ] {
            var other = new
            change(&other)
            #expect(!proves(other, 0, 0))
        }
    }

    @Test("The proof covers what a request takes over, and everything that it asks for")
    func proofCoversRequestAndState() async throws {
        let log = InMemoryLog()
        let deployment = try await Deployment.create(TopicPlan(partitions: 1), on: log).deployment
        try await self.write(3, to: 0, on: log)
        let key = try await deployment.makeRedriveKey(on: log)
        func proves(_ event: Event) -> Bool {
            key.proves(event, at: RecordPosition(.requests, 0, 1), of: deployment.id)
        }
        var event = self.request(of: deployment)
        event.data = ["intent": ["name": "Pay", "parameters": ["amount": 5]], "redrive": ["yes": "d1"]]
        // The form from before there were keys proves nothing of the kind, not even where it still counts.
        #expect(!proves(event))
        event.id = key.identifier(origin: "0:7", user: "ada", interaction: "i1~1", data: event.data)
        #expect(proves(event))
        for data: JSONValue in [
            ["intent": ["name": "Pay", "parameters": ["amount": 500]], "redrive": ["yes": "d1"]],
            ["intent": ["name": "Pay", "parameters": ["amount": 5]], "redrive": ["yes": "d2"]],
            ["intent": ["name": "Pay", "parameters": ["amount": 5]]],
        ] {
            var other = event
            other.data = data
            #expect(!proves(other))
            // Nor does a proof without it prove a request with it.
            other.id = key.identifier(origin: "0:7", user: "ada", interaction: "i1~1", data: [:])
            #expect(proves(other) == (data["redrive"] == nil))
        }
    }

    @Test("In a replay the turn's record decides; one from before keys goes by the deployment's id")
    func replayDecidesByTurnRecord() async throws {
        let deployment = Deployment(id: "d", prefix: "intents", partitions: 1)
        let event = self.request(of: deployment)
        let position = RecordPosition(.requests, 0, 5)
        func verdict(_ check: RedriveCheck, _ event: Event) -> Bool? { check.verdict(on: event, at: position, of: "d") }
        #expect(verdict(.recorded(nil), event) == true)
        #expect(verdict(.recorded(false), event) == false)
        #expect(verdict(.key(nil), event) == false)
        var forged = event
        forged.id = "e1"
        #expect(verdict(.recorded(nil), forged) == false)
        #expect(verdict(.recorded(true), forged) == true)
        forged.passedThrough = [:]
        #expect(verdict(.key(nil), forged) == nil)
    }

    @Test("The key is not printed")
    func keyIsNotPrinted() async throws {
        let log = InMemoryLog()
        let deployment = try await Deployment.create(TopicPlan(partitions: 1), on: log).deployment
        let key = try await deployment.makeRedriveKey(on: log)
        let secret = try #require(key.json["value"]?.string)
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped, "\(RedriveCheck.key(key))"] {
            #expect(!text.contains(secret), "\(text)")
        }
    }
}
