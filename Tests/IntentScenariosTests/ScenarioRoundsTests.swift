import IntentEvents
import IntentKit
import IntentRuntime
import IntentScenarios
import Testing

@Suite("Which scenarios the processes of a run play")
struct ScenarioRoundsTests {
    /// Rounds that expectations can change.
    private final class Rounds {
        private var rounds: ScenarioRounds

        var processes: Int { self.rounds.processes }

        init(count: Int) { self.rounds = ScenarioRounds(count: count) }

        func next() -> [Int]? { self.rounds.next() }
        func finish(_ index: Int) { self.rounds.finish(index) }
        func end() { self.rounds.end() }
        func die(marked: Set<Int>) -> Int? { self.rounds.die(marked: marked) }
        func indices(in state: ScenarioRounds.State) -> [Int] { self.rounds.indices(in: state) }
    }

    @Test("All are played by one process if it survives")
    func allAtOnce() {
        let rounds = Rounds(count: 3)
        #expect(rounds.next() == [0, 1, 2])
        for index in 0..<3 { rounds.finish(index) }
        rounds.end()
        #expect(rounds.next() == nil)
        #expect(rounds.indices(in: .finished) == [0, 1, 2])
        #expect(rounds.processes == 1)
    }

    @Test("If only one scenario's turn was running, the process died of it, and the others are still played")
    func namesTheScenarioThatDied() {
        let rounds = Rounds(count: 4)
        #expect(rounds.next() == [0, 1, 2, 3])
        rounds.finish(0)
        #expect(rounds.die(marked: [2]) == 2)
        #expect(rounds.indices(in: .dead) == [2])
        #expect(rounds.next() == [1, 3])
        rounds.finish(1)
        rounds.finish(3)
        rounds.end()
        #expect(rounds.next() == nil)
    }

    @Test("Half of several suspects are played, until a process dies of one; one without a mark is not a suspect")
    func oneOfManySuspects() {
        let rounds = Rounds(count: 6)
        #expect(rounds.next()?.count == 6)
        rounds.finish(0)
        // A scenario that has its result is not a suspect.
        #expect(rounds.die(marked: [0, 1, 3, 4, 5]) == nil)
        #expect(rounds.indices(in: .suspect) == [1, 3, 4, 5])
        #expect(rounds.next() == [1, 3])
        rounds.finish(1)
        rounds.finish(3)
        rounds.end()
        #expect(rounds.next() == [4])
        // Alone, it is at fault even without a mark.
        #expect(rounds.die(marked: []) == 4)
        #expect(rounds.indices(in: .suspect).isEmpty)
        #expect(rounds.next() == [2, 5])
    }

    @Test("When the cause is in one half, the other half is played later, with all that wait")
    func otherHalfWaits() {
        let rounds = Rounds(count: 8)
        _ = rounds.next()
        #expect(rounds.die(marked: Set(0..<8)) == nil)
        #expect(rounds.next() == [0, 1, 2, 3])
        #expect(rounds.die(marked: [1, 2]) == nil)
        #expect(rounds.indices(in: .suspect) == [1, 2])
        #expect(rounds.next() == [1])
        rounds.finish(1)
        rounds.end()
        #expect(rounds.next() == [2])
        #expect(rounds.die(marked: [2]) == 2)
        #expect(rounds.next() == [0, 3, 4, 5, 6, 7])
    }

    @Test("However many run at once, each cause is found", arguments: [1, 2, 3, 7])
    func findsEachCause(causes: Int) {
        let rounds = Rounds(count: 40)
        let killers = Set((0..<causes).map { $0 * 5 + 2 })
        while let round = rounds.next() {
            if killers.isDisjoint(with: round) {
                for index in round { rounds.finish(index) }
                rounds.end()
            } else {
                _ = rounds.die(marked: Set(round))
            }
        }
        #expect(rounds.indices(in: .dead) == killers.sorted())
        #expect(rounds.indices(in: .finished).count == 40 - causes)
    }

    @Test("If no turn was running, each may be the cause; a process that was killed proves nothing")
    func othersAreStillPlayed() {
        let rounds = Rounds(count: 2)
        #expect(rounds.next() == [0, 1])
        #expect(rounds.die(marked: []) == nil)
        #expect(rounds.next() == [0])
        rounds.finish(0)
        rounds.end()
        #expect(rounds.next() == [1])
        // Killed by another process: that proves nothing about the scenario.
        rounds.end()
        #expect(rounds.indices(in: .waiting) == [1])
    }

    @Test("No more than fifty processes are started")
    func bound() {
        let rounds = Rounds(count: 1)
        for _ in 0..<ScenarioRounds.limit {
            #expect(rounds.next() == [0])
            rounds.end()
        }
        #expect(rounds.next() == nil)
        #expect(rounds.indices(in: .waiting) == [0])
    }

    @Test(
        "A result is read from its JSON as it was written",
        arguments: [.matched, .mismatched(["a", "b"]), .mismatched([]), .executionError("the process died")]
            as [ScenarioOutcome]
    )
    func resultAsJSON(outcome: ScenarioOutcome) throws {
        let scenario = Scenario(name: "one", userID: "u", intent: IntentSnapshot(name: "X"))
        var result = ScenarioResult(
            scenario: scenario,
            interactionID: "run-one",
            outcome: outcome,
            transcript: ConversationTranscript(),
            duration: .milliseconds(1_500)
        )
        result.promptNames = ["needsValue:time"]
        let json = try JSONValue(parsing: result.json.utf8)
        let read = try #require(ScenarioResult(json, of: scenario))
        #expect(read.interactionID == "run-one")
        #expect(read.outcome == outcome)
        #expect(read.duration == .milliseconds(1_500))
        #expect(read.promptNames == ["needsValue:time"])
        #expect(ScenarioResult(["interaction": "x"], of: scenario) == nil)
        let report = ScenarioReport([read], duration: .zero)
        #expect(report.json["scenarios"]?.array?.first?["prompts"] == ["needsValue:time"])
    }

    @Test("A scenario of which a process died is an error in JUnit's XML, with the signal and the turn")
    func deadScenarioInJUnit() {
        let scenario = Scenario(name: "two pets", userID: "u", intent: IntentSnapshot(name: "X"))
        let message = "the process died (SIGTRAP) while handle processed intent.confirmed of \"two pets\""
        let result = ScenarioResult(
            scenario: scenario,
            interactionID: "run-two pets",
            outcome: .executionError(message),
            transcript: ConversationTranscript(),
            duration: .zero
        )
        let junit = ScenarioReport([result], duration: .zero).junit
        #expect(junit.contains("the process died (SIGTRAP) while handle processed intent.confirmed of &quot;two pets"))
    }
}
