import IntentEvents
import IntentKit
import IntentRuntime
import IntentScenarios
import Testing

/// Reports say the same in words, in JSON and in JUnit's XML.
@Suite struct ScenarioReportTests {
    private static let report: ScenarioReport = {
        let outcomes: [ScenarioOutcome] = [
            .matched, .mismatched(["code: expected \"a\" & <b>", "second\u{1}"]), .executionError("no end"),
        ]
        let results = outcomes.enumerated()
            .map { number, outcome in
                ScenarioResult(
                    scenario: Scenario(name: "<\(number)>", userID: "u", intent: IntentSnapshot(name: "X")),
                    interactionID: "run-\(number)",
                    outcome: outcome,
                    transcript: ConversationTranscript(),
                    duration: .milliseconds(1_500)
                )
            }
        return ScenarioReport(results, locations: ["a.jsonl:1", "a.jsonl:2", ""], duration: .seconds(2))
    }()

    @Test func endsWithCounts() {
        let lines = Self.report.summary.split(separator: "\n")
        #expect(lines.last == "Matched 1, Mismatched 1, ExecutionError 1")
        #expect(lines.first == "Mismatched a.jsonl:2: <1> (interaction run-1)")
        #expect(!Self.report.isMatched)
    }

    @Test func escapesForXML() {
        let junit = Self.report.junit
        #expect(junit.contains("tests=\"3\" failures=\"1\" errors=\"1\""))
        #expect(junit.contains("name=\"&lt;1&gt;\""))
        #expect(junit.contains("message=\"code: expected &quot;a&quot; &amp; &lt;b&gt;\""))
        #expect(junit.contains("second\u{FFFD}</failure>"))
        #expect(junit.contains("<error type=\"ExecutionError\" message=\"no end\"/>"))
    }

    @Test func countsInJSON() {
        let json = Self.report.json
        #expect(json["matched"] == 1)
        #expect(json["mismatched"] == 1)
        #expect(json["executionErrors"] == 1)
        #expect(json["scenarios"]?.array?.map { $0["outcome"]?.string } == ["Matched", "Mismatched", "ExecutionError"])
    }

    @Test("A scenario one of whose turns does not replay is a mismatch, and the line before the last counts the turns")
    func turnThatDoesNotReplay() throws {
        var report = Self.report
        report.addReplay(of: 12, unmatched: 4, [("run-0", "now"), ("run-1", "later"), ("run-2", "no"), (nil, "stray")])
        #expect(report.counts == (0, 2, 1))
        let lines = report.summary.split(separator: "\n")
        #expect(lines.prefix(2) == ["Mismatched a.jsonl:1: <0> (interaction run-0)", "  now"])
        #expect(lines.suffix(3).first == "stray")
        #expect(lines.suffix(2).first == "Replayed 12 turns: 4 did not match")
        #expect(lines.last == "Matched 0, Mismatched 2, ExecutionError 1")
        #expect(report.json["scenarios"]?.array?[1]["differences"]?.array?.last == "later")
        #expect(report.json["unmatchedTurns"] == 4)
        #expect(report.junit.contains("failures=\"2\""))
    }

    @Test("A turn outside of the scenarios that does not replay fails the run")
    func strayTurnFails() {
        var report = ScenarioReport([Self.report.results[0]], duration: .seconds(1))
        #expect(report.isMatched)
        report.addReplay(of: 3, unmatched: 0, [])
        #expect(report.isMatched)
        #expect(report.summary == "Replayed 3 turns: all matched\nMatched 1, Mismatched 0, ExecutionError 0")
        report.addReplay(of: 3, unmatched: 1, [(nil, "stray")])
        #expect(!report.isMatched)
    }
}
