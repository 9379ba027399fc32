import InMemoryLog
import IntentAudit
import IntentEvents
import IntentKit
import IntentLab
import IntentRecords
import IntentRuntime
import IntentScenarios
import Testing

@testable import IntentOperations

@Suite("R84: why an interaction failed")
struct InteractionFailureTests {
    /// Pays with a card, through a provider that fails.
    private struct PayIntent: Intent {
        static let intentName = "PayIntent"
        enum Code: String, IntentResponseCode {
            case ready
            case success
            case failure
        }

        @Parameter var card: String?
        @Parameter var note: String?
    }

    private struct PayHandler: IntentHandler {
        struct Refused: TransientError, CustomStringConvertible {
            var card: String
            var description: String { "The provider refuses \(self.card)." }
        }
        struct Broken: Error, CustomStringConvertible {
            var description: String { "No such account" }
        }
        struct NoRates: Error {}

        var handling: Handling<PayIntent> {
            Handle { intent, context in
                if intent.note == "no" { return IntentResponse(code: .failure) }
                // A failure that the handler copes with is not the reason.
                _ = try? await context.run("rates") { () async throws -> Int in throw NoRates() }
                if intent.note == "broken" { throw Broken() }
                _ = try await context.run("charge") { () async throws -> Int in throw Refused(card: intent.card ?? "") }
                return IntentResponse(code: .success)
            }
        }
    }

    private let directory: TemporaryDirectory
    private let masking = Masking(["PayIntent": ["card"]])

    init() throws { self.directory = try TemporaryDirectory() }

    /// Asks for a payment, and returns everything that is recorded of it, and its topics.
    private func pay(note: String) async throws -> (story: InteractionStory, archive: RecordArchive, log: InMemoryLog) {
        let log = InMemoryLog()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 3), on: log)
        let retry = RetryPolicy(attempts: 3, first: .milliseconds(1), longest: .milliseconds(1))
        let registry = try IntentRegistry([
            IntentExtension("Tests") { IntentRegistration(confirmation: .never, retry: retry) { PayHandler() } }
        ])
        let wiring = StageWiring(deployment, on: log, registry: registry, ledger: InMemoryLedger())
        let pipeline = try await Pipeline(wiring)
        try await pipeline.run {
            let conversation = pipeline.client.open(id: "p1", userID: "ada")
            defer { conversation.close() }
            let parameters: JSONValue = ["card": "4111-2222", "note": .string(note)]
            let request: JSONValue = [
                "intent": ["name": "PayIntent", "parameters": parameters], "user": ["id": "ada"],
            ]
            try await conversation.send([conversation.makeEvent("intent.requested", data: request)])
            while try await conversation.next(timeout: .seconds(60)).data["terminal"] != true {}
        }
        let path = self.directory.file("records.sqlite")
        _ = try await RecordDatabase.rebuild(at: path, from: log, prefix: "intents")
        let archive = try await RecordArchive.open(at: path)
        return (try #require(try await archive.story(ofInteraction: "p1")), archive, log)
    }

    private func failure(of story: InteractionStory) -> InteractionFailure? {
        InteractionFailure(story, TurnAccount.all(of: story), prefix: "intents", self.masking)
    }

    @Test("M2: it names the failing call, the attempts, the masked error and the dead letter, and what to do")
    func namesCallAttemptsErrorAndLetter() async throws {
        let (story, archive, log) = try await self.pay(note: "please")
        let failure = try #require(self.failure(of: story))
        let letter = try #require(failure.letter)
        #expect(failure.summary == "Turn failed after 3 attempts; dead letter \(letter.text)")
        #expect(failure.error == "The provider refuses •••.")
        #expect(failure.call?.text == "run charge in handle")
        #expect(failure.advice.contains("`intentd dead-letters redrive \(letter.text)`"))
        #expect(failure.json["deadLetter"] == .string(letter.text))
        #expect(!failure.json.description.contains("4111"))
        // The letter names the interaction in the records, and on the topic.
        let listed = try await DeadLetterList(archive, .init(), limit: 10, prefix: "intents", self.masking)
        let item = try #require(listed.items.first)
        #expect(item.letter.name == letter.text && item.letter.request == story.interaction.request)
        #expect((item.letter.intent, item.letter.interactionID, item.letter.stage) == ("PayIntent", "p1", "handle"))
        #expect(item.detail == "The provider refuses •••.")
        let deployment = try await Deployment.load(prefix: "intents", from: log)
        let box = DeadLetterBox(prefix: "intents", log: log)
        #expect(try await box.list(.init(), of: deployment).map(\.brief) == [item.letter])
    }

    @Test("An error that the handler has thrown itself names the handler, not a failure that it coped with")
    func namesHandlerOfItsOwnError() async throws {
        let failure = try #require(self.failure(of: try await self.pay(note: "broken").story))
        #expect(failure.call?.text == "handler PayHandler in handle")
        #expect(failure.error == "No such account")
        #expect(failure.attempts == 1)
    }

    @Test("A handler's own refusal is no fault, and has no dead letter")
    func refusalIsNoFault() async throws {
        let failure = try #require(self.failure(of: try await self.pay(note: "no").story))
        #expect(failure.summary == "The handler responded with failure")
        #expect(failure.call?.text == "handler PayHandler in handle")
        #expect(failure.letter == nil)
    }

    @Test("M3: dead letters are filtered and counted by error and intent; unknown values say what is meant")
    func filtersAndGroups() async throws {
        let (_, archive, log) = try await self.pay(note: "please")
        let now = SystemRuntimeClock().now
        let deployment = try await Deployment.load(prefix: "intents", from: log)
        for (field, text, count) in [
            (.error, "handlerFailed", 1), (.error, "crashed", 0), (.intent, "PayIntent", 1), (.intent, "Pay", 0),
            (.stage, "handle", 1), (.stage, "confirm", 0), (.user, "ada", 1), (.interaction, "p2", 0),
            (.since, "1h", 1), (.until, "1h", 0),
        ] as [(DeadLetterFilter.Field, String, Int)] {
            var filter = DeadLetterFilter()
            try filter.set(field, text, now: now)
            let list = try await DeadLetterList(archive, filter, limit: 10, prefix: "intents", self.masking)
            #expect(list.items.count == count && list.names.count == count, "\(field) \(text)")
            #expect(list.groups.map(\.count) == (count == 0 ? [] : [1]))
            let box = DeadLetterBox(prefix: "intents", log: log)
            #expect(try await box.list(filter, of: deployment).count == count, "\(field) \(text)")
        }
        var filter = DeadLetterFilter()
        let error = #expect(throws: OperationError.self) { try filter.set(.error, "handlerFaild", now: now) }
        #expect(error?.message.contains("did you mean handlerFailed?") == true)
        #expect(throws: OperationError.self) { try filter.set(.since, "yesterday", now: now) }
    }

    @Test("M10: a turn's changes name a sensitive member, and mask its values; times and outcomes are in words")
    func masksChangesOfState() async throws {
        let (story, _, _) = try await self.pay(note: "please")
        let turns = TurnAccount.all(of: story)
        let state = StateThen(at: turns[0], in: turns)
        let changes = StateWords.changes(state, self.masking)
        let card = changes.first { $0.path.last == "card" }
        #expect(card?.before == nil && card?.after == .string(Masking.mask))
        #expect(!"\(changes)".contains("4111"))
        let words = StateWords.readable(["startedAt": 0, "history": "as", "amount": 3])
        let history: JSONValue = ["prompt 1 answered", "prompt 2 superseded"]
        #expect(words == ["startedAt": "1970-01-01T00:00:00.000Z", "history": history, "amount": 3])
    }

    @Test("M3: groups are by error and intent, the largest first, with the first and the last of each")
    func groupsByErrorAndIntent() {
        func letter(_ offset: Int64, _ error: String, _ intent: String?) -> RecordedLetter {
            var letter = RecordedLetter(
                position: RecordPosition(.deadLetters, 0, offset),
                timestamp: Timestamp(milliseconds: offset)
            )
            (letter.error, letter.intent) = (error, intent)
            return letter
        }
        let groups = DeadLetterGroup.groups([
            letter(9, "malformed", nil), letter(7, "handlerFailed", "Pay"), letter(3, "handlerFailed", "Pay"),
            letter(5, "handlerFailed", "Ride"),
        ])
        #expect(groups.map(\.count) == [2, 1, 1])
        #expect((groups[0].intent, groups[0].first.milliseconds, groups[0].last.milliseconds) == ("Pay", 3, 7))
        let time: JSONValue = "1970-01-01T00:00:00.009Z"
        #expect(groups[2].json == ["error": "malformed", "count": 1, "first": time, "last": time])
    }
}
