import IntentEvents
import IntentKit
import IntentScenarios
import Testing

@Suite("Comparing results with a scenario's expectations")
struct ScenarioExpectationTests {
    private static func transcript(_ terminal: JSONObject) -> ConversationTranscript {
        var data: JSONObject = [
            "terminal": true, "phase": "handle", "status": "success", "code": "success", "endReason": "done",
            "intent": ["name": "X", "parameters": ["a": 1, "b": "two"]], "effects": ["log"],
            "ignoredParameters": ["z", "y"],
        ]
        data.merge(terminal) { $1 }
        var transcript = ConversationTranscript()
        let news: [(EventType, JSONValue)] = [
            (.promptIssued, ["kind": "needsValue", "parameter": "a"]), (.promptIssued, ["kind": "unlockRequired"]),
            (.eventRejected, ["reason": "late"]), (.intentResponded, .object(data)),
        ]
        for (type, data) in news {
            let event = Event(
                id: "e",
                source: "s",
                type: type,
                time: Timestamp(milliseconds: 0),
                userID: "u1",
                data: data
            )
            transcript.append(event, userID: "u1")
        }
        return transcript
    }

    private static let whole: ScenarioExpectation = {
        var expect = ScenarioExpectation()
        expect.code = .named("success")
        expect.status = "success"
        expect.endReason = "done"
        expect.parameters = ["a": 1, "b": "two"]
        expect.prompts = ["needsValue:a", "unlockRequired"]
        expect.rejections = ["late"]
        expect.effects = ["log"]
        expect.ignoredParameters = ["y", "z"]
        return expect
    }()

    @Test("There are no differences where everything is as expected, or nothing is expected")
    func expectedResultsHaveNoDifferences() {
        #expect(Self.whole.differences(from: Self.transcript([:])) == [])
        #expect(ScenarioExpectation().differences(from: ConversationTranscript()) == [])
    }

    @Test("Each difference is reported once, with both sides")
    func eachDifferenceShowsBothSides() {
        let other: JSONObject = [
            "status": "failure", "code": .null, "endReason": "error", "effects": [], "ignoredParameters": [],
            "intent": ["name": "X", "parameters": ["a": 2, "c": true]],
        ]
        #expect(
            Self.whole.differences(from: Self.transcript(other)) == [
                "code: expected success, got none", "status: expected success, got failure",
                "endReason: expected done, got error", "effects: expected [log], got []",
                "ignoredParameters: expected [y, z], got []", "parameters.a: expected 1, got 2",
                "parameters.b: expected \"two\", got nothing", "parameters.c: expected nothing, got true",
            ]
        )
        var expect = ScenarioExpectation()
        expect.code = ScenarioExpectation.Code.none
        #expect(expect.differences(from: Self.transcript([:])) == ["code: expected none, got success"])
        expect = ScenarioExpectation()
        expect.prompts = []
        expect.rejections = []
        #expect(
            expect.differences(from: Self.transcript([:])) == [
                "prompts: expected [], got [needsValue:a, unlockRequired]", "rejections: expected [], got [late]",
            ]
        )
    }

    @Test("R77, R78: started interactions are compared by their names; a repeated prompt is not a new one")
    func comparesStarted() {
        let started: JSONValue = [["name": "taxi", "interaction": "i1+taxi-0", "intent": "BookTaxi"]]
        var transcript = Self.transcript(["started": started])
        let again = Event(
            id: "e",
            source: "s",
            type: .promptIssued,
            time: Timestamp(milliseconds: 0),
            userID: "u1",
            data: ["front": true, "kind": "needsValue", "parameter": "a"]
        )
        transcript.append(again, userID: "u1")
        var expect = Self.whole
        expect.started = ["taxi"]
        #expect(expect.differences(from: transcript) == [])
        expect.started = []
        #expect(expect.differences(from: transcript) == ["started: expected [], got [taxi]"])
    }

    @Test("R79: warnings are compared by their members where they are expected, and noted where they are not")
    func comparesOrNotesWarnings() {
        let warning: JSONValue = [
            "detail": "intent.params is not read.", "eventId": "e", "member": "intent.params",
            "problem": "unknownMember",
        ]
        let transcript = Self.transcript(["warnings": [warning, warning]])
        #expect(transcript.warnings == [warning])
        var scenario = Scenario(name: "n", userID: "u1", intent: IntentSnapshot(name: "X"))
        func result() -> ScenarioResult {
            ScenarioResult(
                scenario: scenario,
                interactionID: "i1",
                outcome: .matched,
                transcript: transcript,
                duration: .zero
            )
        }
        #expect(scenario.expect.differences(from: transcript) == [])
        #expect(result().notes == ["intent.params is not read."])
        let report = ScenarioReport([result()], duration: .zero)
        #expect(report.summary.contains("Warnings n (interaction i1)\n  intent.params is not read.\nMatched 1"))
        #expect(report.json["scenarios"]?.array?.first?["warnings"] == ["intent.params is not read."])
        scenario.expect.warnings = ["intent.params"]
        #expect(scenario.expect.differences(from: transcript) == [] && result().notes.isEmpty)
        scenario.expect.warnings = []
        #expect(scenario.expect.differences(from: transcript) == ["warnings: expected [], got [intent.params]"])
    }

    @Test("Expected values are those with which handle ran; if it did not run, they are reported as missing")
    func valuesAreComparedOnlyAfterHandle() {
        var expect = ScenarioExpectation()
        expect.parameters = ["a": 1, "b": "two"]
        let told = expect.differences(from: Self.transcript(["phase": "confirm", "endReason": "declined"]))
        #expect(told == ["parameters: handle did not run; the interaction ended in confirm (declined)"])
    }
}
