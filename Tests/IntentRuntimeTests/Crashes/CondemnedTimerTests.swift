import IntentEvents
import IntentKit
import Testing

@testable import IntentRuntime

@Suite("Timers of condemned turns (R14, R56)")
struct CondemnedTimerTests {
    private static func stored(_ event: Event, _ position: RecordPosition) -> StoredRecord {
        StoredRecord(
            LogRecord(
                topicPartition: TopicPartition(position.topic.name(prefix: "intents"), position.partition),
                offset: position.offset,
                timestamp: 1_000,
                key: Array(event.userID.utf8),
                value: event.data.utf8,
                headers: event.headers.map { LogHeader($0.name, bytes: $0.value) }
            ),
            topic: position.topic
        )
    }

    @Test(
        "The stage's own timer ends the turn that it names; a client's copy of it has no effect",
        arguments: [(Topic.signals, true), (.requests, false)]
    )
    func onlyStagesOwnTimerEndsTurn(topic: Topic, ends: Bool) async throws {
        let registration = IntentRegistration { GreetHandler() }
        let environment = StageEnvironment(
            stage: .resolve,
            registry: try IntentRegistry([IntentExtension("Tests") { registration }]),
            deployment: "d",
            prefix: "intents",
            partitions: 1,
            worker: "worker"
        )
        let request = Event(
            id: "e1",
            source: "/tests",
            type: .intentRequested,
            time: Timestamp(milliseconds: 0),
            subject: "i1",
            userID: "u1",
            data: ["intent": ["name": "GreetIntent", "parameters": [:]], "user": ["id": "u1"]]
        )
        let parked = ParkedTurn(
            event: Self.stored(request, RecordPosition(.requests, 0, 0)),
            interactionID: "i1",
            startedAt: Timestamp(milliseconds: 0),
            timeoutAt: Timestamp(milliseconds: 1)
        )
        let table = StateTable()
        table.set(StateName.parked, user: "u1", parked.json.utf8)
        let timer = Event(
            id: "e2",
            source: "/intentd/resolve",
            type: .timerFired,
            time: Timestamp(milliseconds: 1),
            subject: "i1",
            userID: "u1",
            stage: .resolve,
            data: [
                "attempt": .integer(Int64(parked.attempt)), "deadline": "1970-01-01T00:00:00.001Z",
                "position": .string(parked.event.position.description), "user": ["id": "u1"], "what": "timeout",
            ]
        )
        let input = TurnInput(
            Self.stored(timer, RecordPosition(topic, 0, 1)),
            crash: CrashVerdict(deaths: 4, isUndecoded: false)
        )
        let turn = await Turn.run(input, in: environment, source: table.source(user: "u1"))
        let result = try #require(turn)
        #expect(result.endsParked == ends)
        #expect(result.writes.keys.contains(StateName.parked) == ends)
        // In both cases it becomes a dead letter, and its user's interaction ends only with the turn that waits for it.
        #expect(result.outputs.contains { if case .deadLetter("crashed", _) = $0 { true } else { false } })
        #expect((result.record.outcome == .ended) == ends)
    }
}
