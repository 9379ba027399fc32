import IntentEvents
import IntentKit
import IntentLab
import IntentRecords
import IntentRuntime
import Testing

/// What the records say of an interaction's time, beside the clock of its client; through the broker and librdkafka.
@Suite("R80: records say how long users wait, and for whom", .timeLimit(.minutes(3)))
struct InteractionTimesBrokerTests {
    /// Resolving waits for a gate, or handling hangs and fails, as the text says.
    private struct SlowHandler: IntentHandler {
        struct Unavailable: TransientError {}

        var handling: Handling<AskingIntent> {
            Resolve(by: self.resolveText, \.$text)
            Handle(self.handle)
        }

        let gates: [String: Gate]

        func resolveText(for intent: AskingIntent, with context: TurnContext) async throws -> INStringResolutionResult {
            guard let text = intent.text else { return .needsValue() }
            await self.gates[text]?.wait()
            return .success(with: text)
        }

        func handle(intent: AskingIntent, context: TurnContext) async throws -> IntentResponse<AskingIntent> {
            if intent.text == "fails", context.attempt < 3 {
                // A service that does not answer within its time limit.
                await self.gates["attempt \(context.attempt)"]?.wait()
                throw Unavailable()
            }
            return IntentResponse(code: .success)
        }
    }

    /// In milliseconds, from a failed attempt until the next one: half of the standard policy's first delay (R35).
    private static let shortestDelay = RetryPolicy.standard.first.milliseconds / 2

    private static var now: Timestamp { SystemRuntimeClock().now }

    private static func run(
        gates: [String: Gate] = [:],
        _ body: @Sendable (Pipeline) async throws -> Void
    ) async throws {
        let handlers = IntentExtension("Tests") { IntentRegistration { SlowHandler(gates: gates) } }
        try await Pipeline.run(on: .broker, .init(extensions: [handlers], partitions: 1, isRecorded: true), body)
    }

    /// Sends a request.
    ///
    /// - Returns: By the client's clock, from when it was sent until it was in the log.
    private static func request(
        _ id: InteractionID,
        _ text: String?,
        _ pipeline: Pipeline
    ) async throws -> ClosedRange<Timestamp> {
        let parameters: JSONValue = text.map { ["text": .string($0)] } ?? [:]
        let intent: JSONValue = ["name": "AskingIntent", "parameters": parameters]
        return try await Self.send(.intentRequested, of: id, ["intent": intent, "user": ["id": "u1"]], pipeline)
    }

    private static func send(
        _ type: EventType,
        of id: InteractionID,
        _ data: JSONValue,
        _ pipeline: Pipeline
    ) async throws -> ClosedRange<Timestamp> {
        let began = Self.now
        try await pipeline.send(type, subject: id, data: data)
        return began...Self.now
    }

    /// What is recorded of an interaction, once it is as expected.
    private static func times(
        of id: InteractionID,
        _ pipeline: Pipeline,
        _ isExpected: (InteractionTimes) -> Bool
    ) async throws -> (times: InteractionTimes, interaction: RecordedInteraction) {
        let archive = try await RecordArchive.open(at: try #require(pipeline.records))
        func known() async throws -> (times: InteractionTimes, interaction: RecordedInteraction)? {
            guard let story = try await archive.story(ofInteraction: id),
                let times = InteractionTimes(story, now: Self.now)
            else { return nil }
            return (times, story.interaction)
        }
        let found = try await eventually({ $0.map { isExpected($0.times) } ?? false }, ask: known)
        return try #require(found)
    }

    // H1, H4
    @Test("A request behind a parked turn is listed at once, and begins when it was written")
    func queuedRequestIsListed() async throws {
        let gate = Gate()
        try await Self.run(gates: ["held": gate]) { pipeline in
            _ = try await Self.request("first", "held", pipeline)
            let running = try await Self.times(of: "first", pipeline) { $0.state == .running }
            #expect(running.times.stage == .resolve)
            let sent = try await Self.request("second", "free", pipeline)
            let queued = try await Self.times(of: "second", pipeline) { $0.state == .queued }
            #expect(queued.interaction.status == "queued" && queued.interaction.turns == 0)
            #expect(queued.interaction.intent == "AskingIntent")
            #expect(sent.contains(queued.times.requestedAt))
            let archive = try await RecordArchive.open(at: try #require(pipeline.records))
            let listed = try await archive.interactions(InteractionFilter(status: "queued"))
            #expect(listed.map(\.interactionID) == ["second"])
            #expect(try await archive.openCounts().queued == 1)
            let released = Self.now
            gate.open()
            _ = try await pipeline.end(of: "second")
            let (times, interaction) = try await Self.times(of: "second", pipeline) { $0.state == .ended }
            #expect(sent.contains(times.requestedAt) && interaction.requestedAt == times.requestedAt)
            #expect(times.total <= Self.now - sent.lowerBound)
            #expect(times.milliseconds(.queued) >= released - sent.upperBound)
            #expect(interaction.duration == times.total)
            #expect(times.milliseconds(.awaitingUser) == 0)
        }
    }

    // H2
    @Test("A user who has answered is not waited for, while the answer is behind a parked turn")
    func answerBehindParkedTurnIsQueued() async throws {
        let gate = Gate()
        try await Self.run(gates: ["held": gate]) { pipeline in
            _ = try await Self.request("asks", nil, pipeline)
            let prompt = try await pipeline.next(of: "asks")
            _ = try await Self.times(of: "asks", pipeline) { $0.state == .awaitingUser }
            let asked = Self.now
            _ = try await Self.request("blocks", "held", pipeline)
            _ = try await Self.times(of: "blocks", pipeline) { $0.state == .running }
            let data: JSONValue = [
                "promptId": prompt.data["promptId"] ?? .null, "user": ["id": "u1"], "action": "accept", "value": "free",
            ]
            let answered = try await Self.send(.promptAnswered, of: "asks", data, pipeline)
            let (waiting, _) = try await Self.times(of: "asks", pipeline) { $0.state == .queued }
            #expect(answered.contains(waiting.since))
            let released = Self.now
            gate.open()
            _ = try await pipeline.end(of: "asks")
            let (times, _) = try await Self.times(of: "asks", pipeline) { $0.state == .ended }
            // It begins after the turn's clock was read, and before it is listed.
            let waited = answered.lowerBound - asked...answered.upperBound - prompt.time
            #expect(waited.contains(times.milliseconds(.awaitingUser)))
            #expect(times.milliseconds(.queued) >= released - answered.upperBound)
        }
    }

    // H2, H3
    @Test("A service that hangs is running in its stage; between attempts the interaction is retrying, and says when")
    func hungServiceIsRunningAndRetrying() async throws {
        let gates = (1...2).map { _ in Gate() }
        try await Self.run(gates: ["attempt 1": gates[0], "attempt 2": gates[1]]) { pipeline in
            let sent = try await Self.request("fails", "fails", pipeline)
            // Each attempt hangs until it was listed for so long that no other part runs as long.
            let (running, _) = try await Self.times(of: "fails", pipeline) {
                $0.state == .running && ($0.spans.last?.milliseconds ?? 0) >= 690
            }
            #expect(running.stage == .handle && running.attempt == 1)
            gates[0].open()
            let (retrying, interaction) = try await Self.times(of: "fails", pipeline) { $0.state == .retrying }
            #expect(retrying.attempt == 2 && retrying.attempts == 8 && interaction.prompts == 0)
            let failedAt = try #require(retrying.spans.last { $0.state == .running }).end
            #expect(try #require(retrying.nextAt) >= failedAt + Self.shortestDelay)
            let (again, _) = try await Self.times(of: "fails", pipeline) {
                $0.state == .running && $0.attempt == 2 && ($0.spans.last?.milliseconds ?? 0) >= 690
            }
            #expect(again.attempts == 8)
            gates[1].open()
            _ = try await pipeline.end(of: "fails")
            let (times, _) = try await Self.times(of: "fails", pipeline) { $0.state == .ended }
            let attempts = times.spans.filter { $0.state == .running && $0.stage == .handle }.prefix(2)
            try #require(attempts.map(\.attempt) == [1, 2] && attempts.allSatisfy { $0.milliseconds >= 690 })
            // Between two attempts the first is committed, and the next one is waited for.
            #expect(attempts[1].start - attempts[0].end >= Self.shortestDelay)
            // No time is counted twice, such as that of a hung attempt as running and as committing.
            #expect(times.spans.reduce(0) { $0 + $1.milliseconds } == times.total)
            #expect(times.total <= Self.now - sent.lowerBound)
            #expect(times.milliseconds(.awaitingUser) == 0)
            let results = try await pipeline.replayAll([
                IntentExtension("Tests") { IntentRegistration { SlowHandler(gates: [:]) } }
            ])
            #expect(results.allSatisfy(\.isMatch) && results.count > 6)
        }
    }
}
