import Foundation
import IntentKit
import IntentTesting
import Testing

@Suite("Testing intents by conversations", .timeLimit(.minutes(1)))
struct TestDeploymentTests {
    @Test("An intent of one's own goes from the request over prompts to its end, and its turns replay (behaviour 11)")
    func ownIntentRunsFromRequestToReplay() async throws {
        try await TestDeployment.with(.tea) { tea in
            let order = try await tea.ask("OrderTeaIntent", ["kind": "tea"])
            let choice = try await order.prompt(.disambiguation, of: "kind")
            #expect(choice.options == ["green tea", "mint tea"])
            try await order.choose("mint tea")
            try await order.prompt(.needsValue, of: "cups")
            try await order.answer(9)
            #expect(try await order.prompt(.unsupported, of: "cups").parameters["kind"] == "mint tea")
            try await order.answer(5)
            try await order.prompt(.intentConfirmation)
            try await order.accept(corrections: ["cups": 2])
            let response = try await order.response()
            #expect(response.code == "success")
            #expect(response.effects == ["order"])
            #expect(response.details["number"] == 1)
            #expect(response.parameters == ["kind": "mint tea", "cups": 2])
            let orders = try await tea.store.read { try $0.query("SELECT kind, cups FROM orders", []) }
            #expect(orders == [["kind": "mint tea", "cups": 2]])
            #expect(try await tea.replay() > 5)
        }
    }

    @Test("R79: mistakes in what the test sends are named, each once")
    func namesMistakesOfClient() async throws {
        try await TestDeployment.with(.tea) { tea in
            let order = try await tea.ask("OrderTeaIntent", ["kind": "mint", "cpus": 6])
            try await order.prompt(.needsValue, of: "cups")
            #expect(order.warnings.map(\.member) == ["intent.parameters.cpus"])
            #expect(order.warnings.first?.problem == "unknownParameter")
            #expect(order.warnings.first?.didYouMean == "cups")
            #expect(order.warnings.first?.detail == "OrderTeaIntent has no parameter cpus; did you mean cups?")
            try await order.cancel()
            #expect(try await order.response().endReason == "abortedByUser")
            #expect(order.warnings.count == 1)
        }
    }

    @Test("Declined and cancelled orders leave nothing behind")
    func declinedAndCancelledOrdersLeaveNothing() async throws {
        try await TestDeployment.with(.tea) { tea in
            let declined = try await tea.ask("OrderTeaIntent", ["kind": "mint", "cups": 6])
            try await declined.prompt(.intentConfirmation)
            try await declined.decline()
            #expect(try await declined.response().endReason == "declined")
            let cancelled = try await tea.ask("OrderTeaIntent")
            try await cancelled.prompt(.needsValue, of: "kind")
            try await cancelled.cancel()
            #expect(try await cancelled.response().endReason == "abortedByUser")
            #expect(try await tea.store.read { try $0.query("SELECT * FROM orders", []) }.isEmpty)
        }
    }

    @Test("A prompt expires when the clock is advanced")
    func promptExpiresWhenClockAdvances() async throws {
        try await TestDeployment.with(.tea) { tea in
            let order = try await tea.ask("OrderTeaIntent")
            try await order.prompt(.needsValue, of: "kind")
            let before = tea.clock.now
            tea.clock.advance(by: .seconds(3_600))
            #expect(tea.clock.now.timeIntervalSince(before) >= 3_600)
            #expect(try await order.response().endReason == "timeout")
        }
    }

    @Test("A user's name for something is understood once it is in their vocabulary")
    func usersVocabularyDecides() async throws {
        try await TestDeployment.with(.tea) { tea in
            let entry = VocabularyEntry(spokenPhrase: "the usual", vocabularyIdentifier: "green tea")
            try await tea.setVocabulary(.notebookItemTitle, [entry])
            let order = try await tea.ask("OrderTeaIntent", ["kind": "the usual", "cups": 1])
            #expect(try await order.response().parameters["kind"] == "green tea")
        }
    }

    @Test("A transient error is retried, and the effect that was made is not repeated")
    func retriedEffectIsMadeOnce() async throws {
        try await TestDeployment.with(.tea) { tea in
            let order = try await tea.ask("OrderTeaIntent", ["kind": "rooibos", "cups": 1])
            #expect(try await order.response().details["number"] == 1)
            #expect(try await tea.store.read { try $0.query("SELECT * FROM orders", []) }.count == 1)
        }
    }

    @Test("A test that waits for the wrong event fails with the event that came instead")
    func unexpectedEventIsReported() async throws {
        try await TestDeployment.with(.tea) { tea in
            let order = try await tea.ask("OrderTeaIntent", ["cups": 1])
            let ended = await #expect(throws: TestError.self) { try await order.response() }
            #expect(ended?.description.contains("Waited for the end, but got the prompt needsValue of kind") == true)
            try await order.answer("tea")
            let other = await #expect(throws: TestError.self) { try await order.prompt(.needsValue, of: "cups") }
            #expect(other?.description.contains("disambiguation of kind among [\"green tea\",\"mint tea\"]") == true)
            let notOffered = await #expect(throws: TestError.self) { try await order.choose("coffee") }
            #expect(notOffered?.description.contains("coffee") == true)
            try await order.choose(at: 0)
            try await order.response()
            await #expect(throws: TestError.self) { try await order.accept() }
        }
    }

    @Test("A test that times out fails with what it waited for")
    func timeoutSaysWhatWasAwaited() async throws {
        var configuration = TestDeployment.Configuration()
        configuration.patience = .milliseconds(300)
        try await TestDeployment.with(.tea, configuration: configuration) { tea in
            let order = try await tea.ask("OrderTeaIntent")
            try await order.prompt(.needsValue, of: "kind")
            let error = await #expect(throws: TestError.self) { try await order.response() }
            #expect(error?.description.hasPrefix("Waited for the end: no event within 0.3 seconds.") == true)
        }
    }

    @Test("A handler that reads a clock outside its context fails the replay")
    func impureHandlerFailsReplay() async throws {
        try await TestDeployment.with(.tea(isUnpure: true)) { tea in
            let order = try await tea.ask("OrderTeaIntent", ["kind": "green", "cups": 1])
            try await order.response()
            let error = await #expect(throws: TestError.self) { try await tea.replay() }
            #expect(error?.description.contains("Diverged 1") == true)
        }
    }

    @Test("Scenarios of a file are played, and differences are reported with their line")
    func playsScenariosOfFile() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "tea-\(UUID().uuidString).jsonl")
        defer { try? FileManager.default.removeItem(at: file) }
        let intent = #""intent": {"name": "OrderTeaIntent", "parameters": {"kind": "tea", "cups": 1}}"#
        let good = #"{"name": "good", "user": "a", \#(intent), "choices": {"kind": 1}, "expect": {"code": "success"}}"#
        let bad = #"{"name": "bad", "user": "b", \#(intent), "choices": {"kind": 0}, "expect": {"code": "failure"}}"#
        try Data("\(good)\n".utf8).write(to: file)
        try await TestDeployment.with(.tea) { try await $0.play(scenarios: file) }
        try Data("\(good)\n\(bad)\n".utf8).write(to: file)
        let error = await #expect(throws: TestError.self) {
            try await TestDeployment.with(.tea) { try await $0.play(scenarios: file) }
        }
        #expect(error?.description.contains(":2: bad") == true)
        #expect(error?.description.contains("code: expected failure, got success") == true)
    }

    private struct PlayOutIntent: Intent {
        static let intentName = "PlayOutIntent"
        enum Code: String, IntentResponseCode { case ready, success, failure }

        @Parameter var text: String?
    }

    /// Ends as a scenario wants its service to answer.
    private struct PlayOutHandler: IntentHandler {
        var handling: Handling<PlayOutIntent> {
            Handle { _, context in IntentResponse(code: context.script == "failure" ? .failure : .success) }
        }
    }

    @Test("A scenario scripts the service's answers")
    func scenarioScriptsServiceAnswers() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "out-\(UUID().uuidString).jsonl")
        defer { try? FileManager.default.removeItem(at: file) }
        let intent = #""intent": {"name": "PlayOutIntent"}"#
        let lines = [
            #"{"name": "in", "user": "a", \#(intent), "expect": {"code": "success"}}"#,
            #"{"name": "out", "user": "b", \#(intent), "service": "failure", "expect": {"code": "failure"}}"#,
        ]
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: file)
        let playOut = IntentExtension("Out") { IntentRegistration(confirmation: .never) { PlayOutHandler() } }
        try await TestDeployment.with(playOut) { try await $0.play(scenarios: file) }
    }
}
