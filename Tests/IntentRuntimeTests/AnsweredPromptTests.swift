import IntentEvents
import IntentKit
import Testing

@testable import IntentRuntime

@Suite("R22: what each answer to each kind of prompt comes to")
struct AnsweredPromptTests {
    /// An answer, and the outcome of its turn with its reason: the end reason of the interaction, the reason of the
    /// rejection, or the reason why the question is asked again.
    private typealias Case = (answer: JSONObject, outcome: String)

    private static let confirmation: [Case] = [
        ([:], "passed"), (["action": "accept"], "passed"), (["value": true], "passed"),
        (["value": true, "choice": 0], "passed"), (["value": false], "ended declined"),
        (["value": "yes"], "passed"), (["value": "No"], "ended declined"),
        (["value": "perhaps"], "prompted notAccepted"), (["choice": 0], "prompted noSuchChoice"),
        (["action": "accept", "choice": 4], "prompted noSuchChoice"), (["corrections": ["name": "Bob"]], "returned"),
        (["action": "decline"], "ended declined"), (["action": "decline", "value": true], "ended declined"),
        (["action": "cancel"], "ended abortedByUser"), (["action": "perhaps"], "rejected invalid"),
        (["choice": "one"], "rejected invalid"), (["corrections": 1], "rejected invalid"),
    ]
    /// No answer says that the device is unlocked or the user signed in; but the user may give up.
    private static let waiting: [Case] = [
        ([:], "rejected invalid"), (["value": true], "rejected invalid"),
        (["corrections": ["name": "Bob"]], "rejected invalid"), (["action": "decline"], "ended declined"),
        (["action": "decline", "choice": 0], "ended declined"), (["action": "cancel"], "ended abortedByUser"),
    ]

    /// Answers a prompt of a stage.
    private static func answer(
        _ kind: PromptKind,
        of stage: Stage,
        _ answer: JSONObject,
        to number: Int = 1,
        after history: [Interaction.PastPrompt] = []
    ) async throws -> String {
        var interaction = Interaction.greeting(["name": "Ann"])
        interaction.history = history
        interaction.prompt = Prompt(
            number: history.count + 1,
            kind: kind,
            expiresAt: Timestamp(milliseconds: 1_000)
        )
        // What the user was asked to confirm.
        interaction.shown = [:]
        let table = StateTable()
        table.set(.interaction("0:7"), user: "u1", entry: StateEntry(interaction))
        let known = KnownInteraction(interaction, at: StillTurn.start, whereabouts: .here)
        table.set(.known("i1"), user: "u1", entry: StateEntry(known))
        var data = answer
        data["promptId"] = .string(PromptID(interaction: "i1", stage: stage, number: number).description)
        data["user"] = ["id": "u1"]
        let event = StillTurn.stored(.promptAnswered, .object(data), on: stage.inputTopic, offset: 8)
        let registrations = [IntentRegistration(confirmation: .always) { GreetHandler() }]
        let result = try #require(try await StillTurn.run(event, in: stage, registrations, table))
        let reason =
            try result.end?.reason.rawValue ?? result.data(of: .promptIssued)?["again"]?["reason"]?.string
            ?? result.data(of: .eventRejected)?["reason"]?.string
        return ([result.record.outcome.rawValue] + [reason].compactMap(\.self)).joined(separator: " ")
    }

    @Test("a confirmation: a yes is a yes alone; an answer that is neither yes nor no is asked for again")
    func confirmation() async throws {
        for (answer, outcome) in Self.confirmation {
            #expect(try await Self.answer(.intentConfirmation, of: .confirm, answer) == outcome, "\(answer)")
        }
    }

    @Test(
        "a prompt that waits for an event: no answer accepts it, and the user can decline or cancel",
        arguments: [(PromptKind.unlockRequired, Stage.resolve), (.authenticationRequired, .confirm)]
    )
    func waiting(kind: PromptKind, stage: Stage) async throws {
        for (answer, outcome) in Self.waiting {
            #expect(try await Self.answer(kind, of: stage, answer) == outcome, "\(answer)")
        }
    }

    @Test(
        "R23: a late answer is rejected with the reason of its own prompt",
        arguments: [
            (1, "rejected superseded"), (2, "rejected duplicate"), (3, "rejected expired"), (5, "rejected unknown"),
        ]
    )
    func lateAnswerIsRejectedForItsOwnPrompt(number: Int, outcome: String) async throws {
        let history: [Interaction.PastPrompt] = [.superseded, .answered, .expired]
        for stage in [Stage.resolve, .confirm] {
            let late = try await Self.answer(
                .intentConfirmation,
                of: stage,
                ["value": true],
                to: number,
                after: history
            )
            #expect(late == outcome)
        }
    }

    @Test("R12a: the id of a prompt has a number from 1")
    func promptIDHasNumberFromOne() {
        #expect(PromptID("i1/r/1")?.description == "i1/r/1")
        for text in ["i1/r/0", "i1/r/-1", "i1/r/", "i1/x/1", "i1/1", "r/1"] {
            #expect(PromptID(text) == nil, "\(text)")
        }
    }
}
