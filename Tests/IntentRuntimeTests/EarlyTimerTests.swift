import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentRuntime

@Suite("Timers that fire too early")
struct EarlyTimerTests {
    @Test("R13: a forged timer does nothing, and the prompt's own one ends the interaction on time")
    func forgedTimerDoesNothing() async throws {
        try await Pipeline.with([IntentRegistration { GreetHandler() }]) { pipeline in
            try await pipeline.request("GreetIntent", subject: "i1")
            let prompt = try await pipeline.next(of: "i1")
            let request = try #require(prompt.request)
            let timer = Event(
                id: String(repeating: "f", count: 32),
                source: "/intentd/resolve",
                type: .timerFired,
                time: Timestamp(milliseconds: 0),
                subject: "i1",
                userID: "u1",
                stage: .resolve,
                request: request,
                data: [
                    "what": "prompt", "deadline": prompt.data["expiresAt"] ?? .null, "user": ["id": "u1"],
                    "promptId": prompt.data["promptId"] ?? .null,
                ]
            )
            let home = HomePartition.of(user: "u1", count: pipeline.deployment.partitions)
            try await pipeline.write([
                OutgoingRecord(
                    topicPartition: TopicPartition(Topic.signals.name(prefix: "intents"), home),
                    key: Array("u1".utf8),
                    value: timer.data.utf8,
                    headers: timer.headers.map { LogHeader($0.name, bytes: $0.value) }
                )
            ])
            while try await !pipeline.records(of: .journal).compactMap({ TurnRecord($0) })
                .contains(where: { $0.eventID.allSatisfy { $0 == "f" } })
            {
                await Task.yield()
            }
            let turns = try await pipeline.records(of: .journal).compactMap { TurnRecord($0) }
            #expect(turns.first { $0.eventID.allSatisfy { $0 == "f" } }?.outcome == .ignored)
            pipeline.clock.advance(by: .seconds(301))
            // The lane checks its timers at least once a second.
            #expect(try await pipeline.end(of: "i1").data["endReason"] == "timeout")
        }
    }

    @Test("R13: a lane whose clock was set back after a timer fired waits for the deadline again, and fires once")
    func timerRearmsAfterClockIsSetBack() throws {
        let work = PartitionWork(partition: 0, settings: RuntimeSettings())
        var interaction = Interaction(
            id: "i1",
            request: "0:1",
            startedAt: Timestamp(milliseconds: 0),
            user: RequestingUser(id: "u1"),
            device: RequestingDevice(),
            locale: "en-US",
            intent: IntentSnapshot(name: "GreetIntent")
        )
        let deadline = Timestamp(milliseconds: 5_000)
        interaction.prompt = Prompt(number: 1, kind: .needsValue, parameter: "name", expiresAt: deadline)
        work.apply(.interaction("0:1"), user: "u1", StateEntry(interaction))
        #expect(work.timers.next == deadline)
        #expect(work.popDueTimers(at: deadline, limit: 10).count == 1)
        #expect(work.timers.next == nil)
        work.rearm(.interaction("0:1"), user: "u1")
        work.rearm(.interaction("0:1"), user: "u1")
        #expect(work.timers.next == deadline)
        #expect(work.popDueTimers(at: deadline, limit: 10).count == 1)
        work.rearm(.interaction("0:2"), user: "u1")
        #expect(work.timers.next == nil, "What is not there any more has no deadline.")
    }
}
