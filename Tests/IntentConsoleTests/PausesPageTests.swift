import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import LocalHTTP
import Testing

@testable import IntentConsole
@testable import IntentOperations
@testable import IntentRecords

@Suite("R82: pausing and resuming in the console", .timeLimit(.minutes(1)))
struct PausesPageTests {
    private static let pause = Pause(
        .intent("OrderGroceries"),
        id: "p 1",
        since: Samples.start,
        by: "ada",
        reason: "maintenance"
    )

    private static func page(_ form: Fields, token: String? = "t", problem: String? = nil) -> PausesPage {
        var page = PausesPage(form: form)
        page.intents = ["OrderGroceries", Samples.hostile]
        page.apps = ["Groceries"]
        page.formToken = token
        page.problem = problem
        return page
    }

    /// How often a text is in another one.
    private static func count(_ part: String, in text: String) -> Int { text.ranges(of: part).count }

    // MARK: Pages

    @Test("A pause is listed once with its stages, who, when and why, and what differs is another pause")
    func listsPauses() {
        var later = Self.pause
        later.id = "p2"
        later.reason = nil
        let app = Pause(.app("Groceries"), id: "p3", since: Samples.start, by: "eve")
        let text = Self.page(Fields())
            .rest([(.handle, Self.pause), (.resolve, Self.pause), (.confirm, later), (.handle, app)]).text
        #expect(Self.count("<section class=\"panel\" id=\"pause-", in: text) == 3)
        #expect(text.contains("<dd>resolve, handle</dd>") && text.contains("<dd>confirm</dd>"))
        #expect(text.contains("<dd>ada</dd>") && text.contains("<dd>maintenance</dd>") && text.contains("<dd>–</dd>"))
        #expect(text.contains("Intent <a href=\"/intents/OrderGroceries\">") && text.contains("App Groceries</h2>"))
        #expect(Self.count("name=\"do\" value=\"resume\"", in: text) == 3)
        // A resume names the stages of its own pause only.
        #expect(Self.count("type=\"hidden\" name=\"stage\" value=\"handle\"", in: text) == 2)
        #expect(Self.page(Fields()).rest([]).text.contains("Nothing is paused."))
    }

    @Test("Nothing that came from outside is markup, and there are forms only where acting is allowed")
    func isSafe() {
        let pauses = [Pause.Target.intent(Samples.hostile), .app(Samples.hostile)]
            .map { target in
                let pause = Pause(
                    target,
                    id: Samples.hostile,
                    since: Samples.start,
                    by: Samples.hostile,
                    reason: Samples.hostile
                )
                return (stage: Stage.handle, pause: pause)
            }
        let form = Fields([
            ("do", "resume"), ("target", "intent:" + Samples.hostile), ("by", Samples.hostile),
            ("reason", Samples.hostile), ("pause", Samples.hostile), ("resume", Samples.hostile),
        ])
        for token in ["t", nil] {
            for problem in [Samples.hostile, nil] {
                let page = Self.page(form, token: token, problem: problem)
                let text = (page.beginning(in: Samples.frame) + page.rest(pauses)).text
                for markup in ["<img", "<script>", "\u{202E}", " style=", "onclick"] { #expect(!text.contains(markup)) }
                #expect(text.contains("name=\"form\" value=\"t\"") == (token != nil))
                #expect(text.contains("--allow-writes") == (token == nil))
            }
        }
    }

    @Test("The pause form has all stages selected; a refused one keeps what was typed, and no other form gets it")
    func keepsWhatWasTyped() {
        let pauses = [(stage: Stage.handle, pause: Self.pause)]
        let fresh = Self.page(Fields([("target", "intent:OrderGroceries")])).rest(pauses).text
        #expect(Self.count(" checked>", in: fresh) == 3)
        #expect(fresh.contains("<option value=\"intent:OrderGroceries\" selected>"))
        #expect(Self.count("name=\"reason\" value=\"\"", in: fresh) == 2)
        #expect(Self.count("autocomplete=\"off\" required>", in: fresh) == 2)
        let typed: [(String, String?)] = [
            ("target", "intent:OrderGroceries"), ("stage", "handle"), ("by", "eve"), ("reason", "why"),
        ]
        for act in ["pause", "resume"] {
            let text = Self.page(Fields([("do", act)] + typed), problem: "no").rest(pauses).text
            #expect(Self.count(" checked>", in: text) == (act == "pause" ? 1 : 3))
            #expect(Self.count("name=\"by\" value=\"eve\"", in: text) == 1)
            #expect(Self.count("name=\"reason\" value=\"why\"", in: text) == 1)
            // The list of pauses comes before the form that pauses.
            let list = text.split(separator: "id=\"begin\"")[0]
            #expect(list.contains("value=\"why\"") == (act == "resume"))
        }
    }

    @Test("An interaction that a pause holds names it with who and why, and links to it")
    func heldInteractionLinksToPause() {
        var draft = TurnDraft(
            stage: .handle,
            position: RecordPosition(.confirmed, 3, 30),
            eventID: "e30",
            eventType: EventType.intentConfirmed.rawValue,
            userID: "u1",
            at: Samples.start + 50,
            attempt: 1,
            worker: "w",
            outcome: .reported
        )
        draft.held = Self.pause
        let record = TurnRecord(draft, generation: 0, eventDigest: "", outputs: [], previousDigest: "")
        var story = Samples.story
        story.interaction = Samples.interaction(status: nil, ended: false)
        story.turns = [
            RecordedTurn(position: RecordPosition(.journal, 3, 30), timestamp: Samples.start + 60, record: record)
        ]
        func text() -> String {
            var page = OneInteractionPage(story: story, masking: Samples.masking, formToken: "t", canReplay: false)
            page.times = InteractionTimes(story, now: Samples.start + 1_000)
            return page.body.text
        }
        let words = "Waits in handle: <a href=\"/pauses#pause-p%201\">intent:OrderGroceries is paused</a> since "
        #expect(text().contains(words))
        #expect(text().contains("UTC by ada: maintenance</p>"))
        story.interaction.endedAt = Samples.start + 900
        #expect(!text().contains("is paused</a>"))
    }

    @Test("An intent's page, the operators' log and the navigation lead to the pauses")
    func isLinked() throws {
        let intent: JSONValue = ["name": "Order Groceries"]
        for allowsWrites in [true, false] {
            let page = IntentsPage(intents: [intent], canTalk: false, canPause: allowsWrites)
            let text = try #require(page.page(of: "Order Groceries", in: Samples.frame)).text
            #expect(text.contains("href=\"/pauses?target=intent%3AOrder%20Groceries\"") == allowsWrites)
        }
        let log = OperatorsPage(query: Fields(), acts: []).page(in: Samples.frame).text
        #expect(Self.count("href=\"/pauses\"", in: log) == 2)
    }

    // MARK: Acting

    private static let valid = [
        ("do", "pause"), ("target", "intent:OrderGroceries"), ("stage", "resolve"), ("stage", "confirm"),
        ("stage", "handle"), ("by", "eve"), ("reason", "maintenance"),
    ]

    /// The valid form with other values of some fields; nil removes one.
    private static func form(_ changes: [String: String?]) -> [(String, String)] {
        Self.valid.compactMap { name, value -> (String, String)? in
            guard let change = changes[name] else { return (name, value) }
            return change.map { (name, $0) }
        }
    }

    /// Sends a form to a console; a clock on which sleeps end at once does not wait for stages, of which there are none.
    private static func post(
        _ form: [(String, String)],
        to operations: Operations,
        origin: String? = nil
    ) async -> (status: Int, location: String?, text: String) {
        let gate = ConsoleGate(token: nil, host: "127.0.0.1")
        let console = Console(
            operations,
            gate: gate,
            clock: ManualClock(at: Samples.start, sleeps: .advancing)
        )
        let fields = Fields([("form", gate.formToken)] + form.map { ($0.0, Optional($0.1)) })
        var request = HTTPServerRequest(.post, ["pauses"], form: fields, host: "127.0.0.1:1")
        request.origin = origin
        let response = await console.respond(to: request)
        var text = response.text ?? ""
        if case .parts(let parts) = response.body { for await part in parts { text += part } }
        return (response.status, response.headers.first { $0.name == "Location" }?.value, text)
    }

    /// Writes a pause as a stage keeps it.
    private static func keep(_ pause: Pause, _ stage: Stage, _ operations: Operations) async throws {
        let (log, deployment) = try #require(operations.topics)
        let user = Pause.keeper(ofPartition: 0, of: deployment.partitions)
        let record = OutgoingRecord(
            topicPartition: deployment.topicPartition(.state, 0),
            key: StateKey(stage: stage, user: user, name: .pause(pause.target)).bytes,
            value: pause.json.utf8,
            headers: []
        )
        try await log.write([record])
    }

    /// The acts in the operators' log.
    private static func acts(_ operations: Operations) async throws -> [OperatorAct] {
        let (log, deployment) = try #require(operations.topics)
        return try await log.records(of: .signals, deployment)
            .compactMap { OperatorAct(try StoredRecord($0, topic: .signals).decoded()) }
    }

    @Test("A pause and its end are written for the stages, with the operator's name and the reason")
    func pausesAndResumes() async throws {
        let operations = try await Samples.operations(withTopics: true, allowsWrites: true)
        let partitions = try #require(operations.topics?.deployment.partitions)
        let paused = await Self.post(Self.form([:]), to: operations)
        #expect(paused.status == 303 && paused.location == "/pauses?pause=intent%3AOrderGroceries")
        let acts = try await Self.acts(operations)
        #expect(acts.count == 3 * partitions)
        let by = OperatorAct.Operator("eve", via: "console", reason: "maintenance")
        #expect(acts.allSatisfy { $0.kind == .pause && $0.by == by && $0.target == "intent:OrderGroceries" })
        for stage in [Stage.confirm, .handle] { try await Self.keep(Self.pause, stage, operations) }
        let resume = [
            ("do", "resume"), ("target", "intent:OrderGroceries"), ("stage", "handle"), ("reason", "over"),
        ]
        let resumed = await Self.post(resume, to: operations)
        #expect(resumed.status == 303 && resumed.location == "/pauses?resume=intent%3AOrderGroceries")
        let ends = try await Self.acts(operations).filter { $0.kind == .resume }
        #expect(ends.count == partitions)
        #expect(ends.allSatisfy { $0.by == OperatorAct.Operator("console", via: "console", reason: "over") })
        let app = await Self.post(Self.form(["target": "app:Groceries"]), to: operations)
        #expect(app.status == 303)
    }

    @Test(
        "What cannot be paused or resumed is refused, and nothing is written",
        arguments: [
            (["reason": nil], "needs a reason for this act"),
            (["reason": String(repeating: "x", count: 1_025)], "has 1 to 1024 bytes"),
            (["reason": "a\u{7}b"], "contains a control character"),
            (["by": String(repeating: "é", count: 65)], "has 1 to 128 bytes"),
            (["target": "intent:OrderGrocerie"], "did you mean OrderGroceries?"),
            (["target": "app:OrderGroceries"], "Unknown app: OrderGroceries"),
            (["target": "intent:" + String(repeating: "x", count: 2_000)], "Nothing was done"),
            (["target": "OrderGroceries"], "Select an intent or an app."),
            (["target": nil], "Select an intent or an app."), (["stage": nil], "Select at least one stage."),
            (["stage": "record"], "Select at least one stage."),
            (["do": "resume"], "intent:OrderGroceries is not paused"),
        ] as [([String: String?], String)]
    )
    func refuses(changes: [String: String?], words: String) async throws {
        let operations = try await Samples.operations(withTopics: true, allowsWrites: true)
        let answer = await Self.post(Self.form(changes), to: operations)
        #expect(answer.status == 400 && answer.text.contains(words), "\(answer)")
        #expect(answer.text.contains("Nothing was done: ") && answer.text.hasSuffix("</html>"))
        let acts = try await Self.acts(operations)
        #expect(acts.isEmpty)
    }

    @Test("A form from elsewhere, an unknown act, and any act where writing is not allowed are refused")
    func refusesWhereNotAllowed() async throws {
        let operations = try await Samples.operations(withTopics: true, allowsWrites: true)
        let foreign = await Self.post(Self.form([:]), to: operations, origin: "http://evil.example").status
        #expect(foreign == 403)
        for act in ["cancel", "prune", ""] {
            let status = await Self.post(Self.form(["do": act]), to: operations).status
            #expect(status == 404)
        }
        let readOnly = try await Samples.operations(withTopics: true)
        let records = try await Samples.operations()
        for one in [readOnly, records] {
            let status = await Self.post(Self.form([:]), to: one).status
            #expect(status == 404)
            let by = OperatorAct.Operator("eve", via: "console", reason: "why")
            await #expect(throws: OperationError.self) {
                try await one.act(.pause, on: .intent("OrderGroceries"), in: Stage.allCases, by: by)
            }
        }
        await #expect(throws: OperationError.self) { try await records.pauses() }
        for one in [operations, readOnly] {
            let acts = try await Self.acts(one)
            #expect(acts.isEmpty)
        }
    }
}
