import InMemoryLog
import IntentAudit
import IntentEvents
import IntentKit
import IntentLab
import IntentRecords
import IntentRuntime
import IntentScenarios
import Synchronization
import Testing

@Suite("Telling an interaction's story")
struct StoryTests {
    private static func registrations(limit: Int = 1_000) -> [IntentRegistration] {
        [IntentRegistration(version: "3", confirmation: .always) { TransferHandler(limit: limit) }]
    }

    private static func story(
        _ id: InteractionID,
        _ body: @Sendable (Pipeline) async throws -> Void
    ) async throws -> InteractionStory {
        try await Self.story(id, of: try await Pipeline.run(Self.registrations(), body))
    }

    private static func story(_ id: InteractionID, of pipeline: Pipeline) async throws -> InteractionStory {
        let directory = try TemporaryDirectory()
        let path = directory.file("records.sqlite")
        _ = try await RecordDatabase.rebuild(at: path, from: pipeline.log, prefix: "intents")
        return try #require(try await RecordArchive.open(at: path).story(ofInteraction: id))
    }

    @Test("R46: turns in order, each with its event, reads, decision, effects and outputs, and their positions")
    func tellsTurnsInOrder() async throws {
        let story = try await Self.story("t1") { try await $0.transfer("t1", recipient: nil) }
        let turns = TurnAccount.all(of: story)
        #expect(turns.map(\.record.stage) == [.resolve, .resolve, .confirm, .confirm, .handle])
        #expect(turns.map(\.number) == [1, 2, 3, 4, 5])
        #expect(turns.map(\.record.outcome) == [.prompted, .passed, .prompted, .passed, .ended])
        #expect(turns.allSatisfy { $0.isEventSound == true && $0.record.handlerVersion == "3" })
        #expect(turns[2].record.reads.map(\.name) == ["rate"])
        #expect(turns[4].record.reads.map(\.kind) == [.run, .effect, .ledger])
        #expect(turns[0].outputs.first?.event?.position.topic == .responses)
        #expect(turns[4].outputs.first?.event?.json?["endReason"] == "nominal")
    }

    @Test("R46: the state as it was at each turn")
    func showsStateAtEachTurn() async throws {
        let story = try await Self.story("t1") { try await $0.transfer("t1", recipient: nil) }
        let turns = TurnAccount.all(of: story)
        let states = turns.map { StateThen(at: $0, in: turns) }
        #expect(states[0].interactionBefore == nil)
        #expect(states[0].interactionAfter?["prompt"]?["parameter"] == "recipient")
        #expect(states[0].interactionAfter?["intent"]?["parameters"] == ["amount": 20])
        #expect(states[1].interactionBefore == states[0].interactionAfter)
        #expect(states[1].interactionAfter?["intent"]?["parameters"] == ["amount": 20, "recipient": "carol"])
        #expect(states[2].interactionBefore == states[1].interactionAfter)
        #expect(states[2].interactionAfter?["shown"] == ["fee": 1])
        #expect(states[4].interactionAfter == nil)
        guard case .turn(turns[1].journal) = states[0].source else {
            Issue.record("\(states[0].source)")
            return
        }
        guard case .ended = states[4].source else {
            Issue.record("\(states[4].source)")
            return
        }
    }

    @Test("M10: what a turn changed of its interaction's state, member by member")
    func namesChangesOfState() async throws {
        let story = try await Self.story("t1") { try await $0.transfer("t1", recipient: nil) }
        let turns = TurnAccount.all(of: story)
        let state = StateThen(at: turns[1], in: turns)
        let changes = StateChange.changes(from: state.interactionBefore, to: state.interactionAfter)
        let recipient = changes.first { $0.path == ["intent", "parameters", "recipient"] }
        #expect(recipient?.before == nil && recipient?.after == "carol")
        #expect(changes.contains { $0.path.first == "prompt" && $0.after == nil })
        #expect(!changes.contains { $0.path == ["intent", "parameters", "amount"] })
        #expect(StateChange.changes(from: state.interactionBefore, to: state.interactionBefore).isEmpty)
        #expect(StateChange.changes(from: ["a": 1, "b": .null], to: ["a": [1]]).map(\.path) == [["a"]])
        #expect(StateChange.changes(from: nil, to: ["a": ["b": 1]]).map(\.path) == [["a", "b"]])
    }

    @Test("R46: an exported scenario passes as it is, and fails when the bug that it shows is put back")
    func exportsScenarioThatReproducesBug() async throws {
        let story = try await Self.story("t1") { try await $0.transfer("t1", recipient: nil, amount: 600) }
        let export = try #require(ScenarioExport(story))
        #expect(export.warnings == [])
        let file = ScenarioFile(parsing: export.scenario.json.utf8)
        #expect(file.problems == [])
        let scenario = try #require(file.entries.first?.scenario)
        #expect(scenario.expect.prompts == ["needsValue:recipient", "intentConfirmation"])
        #expect(scenario.expect.effects == ["book"])
        #expect(scenario.expect.parameters == ["amount": 600, "recipient": "carol"])
        #expect(scenario.answers == ["recipient": "carol"])
        #expect(scenario.confirmations.map(\.action) == [.accept])
        for (limit, isMatched) in [(1_000, true), (500, false)] {
            try await Pipeline.run(Self.registrations(limit: limit)) { pipeline in
                let result = await ScenarioPlayer(pipeline.client, .init(runID: "r")).play(scenario)
                #expect(result.duration < .seconds(30))
                #expect((result.outcome == .matched) == isMatched, "\(limit): \(result.outcome)")
            }
        }
    }

    /// Offers two recipients, and asks back about a third.
    private struct ChoiceHandler: IntentHandler {
        var handling: Handling<TransferIntent> {
            Resolve(\.$recipient) { said, _ in
                switch said {
                case "b": .disambiguation(with: ["bob", "bert"])
                case "c": .confirmationRequired(with: "carol")
                default: .success(with: said ?? "")
                }
            }
            Handle { _, _ in IntentResponse(code: .success) }
        }
    }

    @Test("R46: a choice is exported as a choice, and so is a yes to a value", arguments: ["b", "c"])
    func exportsChoicesAndConfirmedValues(said: String) async throws {
        let registrations = [IntentRegistration(confirmation: .never, usesLedger: false) { ChoiceHandler() }]
        let pipeline = try await Pipeline.run(registrations) { pipeline in
            let conversation = pipeline.client.open(id: "t1", userID: "ada")
            defer { conversation.close() }
            let request: JSONValue = [
                "intent": ["name": "TransferIntent", "parameters": ["recipient": .string(said)]], "user": ["id": "ada"],
            ]
            try await conversation.send([conversation.makeEvent("intent.requested", data: request)])
            let prompt = try await conversation.next(timeout: .seconds(60)).data
            var answer: JSONObject = ["promptId": prompt["promptId"] ?? .null, "user": ["id": "ada"]]
            if prompt["kind"] == "disambiguation" { answer["choice"] = 1 } else { answer["action"] = "accept" }
            try await conversation.send([conversation.makeEvent("prompt.answered", data: .object(answer))])
            #expect(try await conversation.next(timeout: .seconds(60)).data["terminal"] == true)
        }
        let export = try #require(ScenarioExport(try await Self.story("t1", of: pipeline)))
        #expect(export.warnings == [])
        #expect(export.scenario.steps == nil)
        #expect(export.scenario.choices == ["recipient": .index(said == "b" ? 1 : 0)])
        #expect(export.scenario.expect.parameters?["recipient"] == (said == "b" ? "bert" : "carol"))
    }

    @Test("R46: the export warns about what a scenario cannot express")
    func warnsWhatScenarioCannotExpress() async throws {
        let id = Mutex<InteractionID>("")
        let pipeline = try await Pipeline.run(Self.registrations()) { pipeline in
            let expired = try await pipeline.expire("silent", user: "ada")
            id.withLock { $0 = expired }
        }
        let story = try await Self.story(id.withLock(\.self), of: pipeline)
        let export = try #require(ScenarioExport(story))
        #expect(export.warnings.count == 2)
    }
}
