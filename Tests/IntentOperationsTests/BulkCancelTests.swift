import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@testable import IntentOperations
@testable import IntentRecords

@Suite("R82g: cancelling all interactions that a query selects")
struct BulkCancelTests {
    private let log = InMemoryLog()
    private let by = OperatorAct.Operator("ada", via: "terminal", reason: "wrong price")

    private static func recorded(_ number: Int64, status: String? = nil) -> RecordedInteraction {
        RecordedInteraction(
            position: RecordPosition(.requests, 0, number),
            interactionID: InteractionID("i\(number)"),
            userID: "ada",
            intent: "Order",
            status: status,
            code: nil,
            endReason: nil,
            phase: "handle",
            requestedAt: Timestamp(milliseconds: 1_000),
            firstPromptAt: nil,
            endedAt: nil,
            turns: 1,
            prompts: 0,
            terminalResponses: 0,
            parameters: nil
        )
    }

    /// A deployment whose state has the open interactions i0 to i2.
    private func desk() async throws -> OperatorDesk {
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 1), on: self.log)
        let records = (0..<3)
            .map { number in
                var interaction = Interaction(
                    id: InteractionID("i\(number)"),
                    request: RequestID("0:\(number)"),
                    startedAt: Timestamp(milliseconds: 1_000),
                    user: RequestingUser(id: "ada"),
                    device: RequestingDevice(),
                    locale: "en-US",
                    intent: IntentSnapshot(name: "Order", parameters: [:])
                )
                interaction.appDeadline = Timestamp(milliseconds: 5_000)
                return OutgoingRecord(
                    topicPartition: deployment.topicPartition(.state, 0),
                    key: StateKey(stage: .handle, user: "ada", name: .interaction(interaction.request)).bytes,
                    value: interaction.utf8,
                    headers: []
                )
            }
        try await self.log.write(records)
        return OperatorDesk(deployment, log: self.log, by: self.by)
    }

    private func acts(_ desk: OperatorDesk) async throws -> [LoggedAct] {
        try await self.log.acts(.cancel, since: 0, prefix: desk.deployment.prefix)
    }

    /// Answers as the stage does: that an interaction has ended, or that an act is rejected.
    private func respond(
        _ desk: OperatorDesk,
        _ type: EventType,
        _ request: RequestID?,
        _ data: JSONObject
    ) async throws {
        let event = Event(
            id: "r-\(request?.text ?? "none")",
            source: "/intentd/handle",
            type: type,
            time: Timestamp(milliseconds: 2_000),
            userID: "ada",
            request: request,
            data: .object(data.merging(["user": ["id": "ada"]]) { $1 })
        )
        try await self.log.write([
            OutgoingRecord(topicPartition: desk.deployment.topicPartition(.responses, 0), content: event.content)
        ])
    }

    @Test("Open ones get one act each, with the reason; ended and queued ones get none")
    func cancelsOpen() async throws {
        let desk = try await self.desk()
        let matches = [Self.recorded(0), Self.recorded(1), Self.recorded(7), Self.recorded(8, status: "queued")]
        var cancel = try await BulkCancel(matches, at: desk)
        #expect(cancel.items.map(\.isPending) == [true, true, false, false])
        #expect(try await self.acts(desk).isEmpty)
        try await cancel.run(wait: .zero)
        let acts = try await self.acts(desk)
        #expect(acts.map(\.act.request) == ["0:0", "0:1"] && acts.allSatisfy { $0.act.by.reason == "wrong price" })
        #expect(cancel.items.map(\.outcome) == [.open, .open, .ended, .open])
    }

    @Test("A second run writes no act again: it finishes what a killed one has left, and reads what became of all")
    func resumes() async throws {
        let desk = try await self.desk()
        // A run that was killed after its first act.
        _ = try await desk.cancel(try await desk.open("i0", of: nil))
        let matches = (0..<3).map { Self.recorded($0) }
        var cancel = try await BulkCancel(matches, at: desk)
        #expect(cancel.items.map(\.isPending) == [false, true, true])
        try await cancel.run(wait: .zero)
        let acts = try await self.acts(desk)
        #expect(acts.map(\.act.request) == ["0:0", "0:1", "0:2"])
        try await self.respond(
            desk,
            .intentResponded,
            "0:0",
            ["terminal": true, "endReason": .string(EndReason.abortedByOperator.rawValue)]
        )
        try await self.respond(desk, .intentResponded, "0:1", ["terminal": true, "endReason": "nominal"])
        try await self.respond(
            desk,
            .eventRejected,
            nil,
            ["eventId": .string(acts[2].id), "reason": "late", "detail": "It was paid."]
        )
        try await cancel.run(wait: .zero)
        #expect(cancel.items.map(\.outcome) == [.cancelled, .ended, .refused("It was paid.")])
        #expect(try await self.acts(desk).count == 3)
        // What was refused may be possible now.
        var again = try await BulkCancel(matches, at: desk)
        #expect(again.items.map(\.isPending) == [false, false, true])
        try await again.run(wait: .zero)
        #expect(again.items.map(\.outcome) == [.cancelled, .ended, .open])
        #expect(try await self.acts(desk).map(\.act.request) == ["0:0", "0:1", "0:2", "0:2"])
    }

    @Test("A query that selects everything, or what has ended, is refused")
    func refusesQueries() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("records.sqlite")
        let database = try await RecordDatabase.open(at: path, prefix: "intents")
        await database.close()
        let archive = try await RecordArchive.open(at: path)
        func matches(_ field: InteractionQuery.Field?, _ text: String) async throws -> [RecordedInteraction] {
            var query = InteractionQuery()
            if let field { query[field] = text }
            return try await BulkCancel.matches(
                query,
                in: archive,
                KnownNames(nil),
                .everything,
                now: Timestamp(milliseconds: 0)
            )
        }
        for (field, text) in [(nil, ""), (.state, "ended"), (.columns, "user")]
            as [(InteractionQuery.Field?, String)]
        {
            let refusal = await #expect(throws: OperationError.self) { try await matches(field, text) }
            #expect(refusal?.code == .usage)
        }
        #expect(try await matches(.state, "open").isEmpty)
        #expect(try await matches(.state, "paused").isEmpty)
        #expect(try await matches(.user, "ada").isEmpty)
    }
}
