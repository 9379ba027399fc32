import IntentKit
import IntentRuntime
import Testing

@testable import IntentCommands

@Suite("R76: the arguments of `waiting decide`")
struct WaitingCommandTests {
    @Test("The three decisions are read; another one is named, with the one that is probably meant")
    func readsDecisions() throws {
        for outcome in OperatorDecision.Outcome.allCases {
            let read = try WaitingDecideCommand.outcome(outcome.rawValue)
            #expect(read == outcome)
        }
        let error = #expect(throws: (any Error).self) { try WaitingDecideCommand.outcome("notdone") }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("unknown decision 'notdone'") && text.contains("done, notDone, failed"))
        #expect(text.contains("did you mean"), "\(text)")
    }

    @Test("Details are a JSON object")
    func readsDetails() throws {
        let members = try WaitingDecideCommand.members(#"{"order": 17}"#)
        #expect(members == ["order": 17])
        for text in ["17", "order", "[]", ""] {
            #expect(throws: (any Error).self, "\(text)") { try WaitingDecideCommand.members(text) }
        }
    }

    @Test("An incomplete command line is a usage error", arguments: [[], ["i1"], ["i1", "perhaps"]])
    func refusesIncompleteLines(words: [String]) async {
        let status = await RootCommand.run(["waiting", "decide"] + words)
        #expect(status == 64)
    }
}
