import IntentEvents
import IntentKit
import LocalHTTP
import Testing

@testable import IntentAudit
@testable import IntentConsole
@testable import IntentOperations
@testable import IntentRecords

@Suite("Contents of the console's pages")
struct PageContentTests {
    private static func page(
        _ story: InteractionStory = Samples.story,
        canReplay: Bool,
        _ change: (inout OneInteractionPage) -> Void = { _ in }
    ) -> String {
        var page = OneInteractionPage(
            story: story,
            masking: Samples.masking,
            formToken: "t",
            canReplay: canReplay
        )
        change(&page)
        return page.page(in: Samples.frame).text
    }

    private static func turn(_ offset: Int64, partition: Int = 3) -> RecordedTurn {
        RecordedTurn(
            position: RecordPosition(.journal, partition, offset),
            timestamp: Samples.start + 14,
            record: TurnRecord(
                TurnDraft(
                    stage: .resolve,
                    position: RecordPosition(.requests, partition, offset),
                    eventID: "e\(offset)",
                    eventType: "intent.requested",
                    userID: "u1",
                    at: Samples.start,
                    attempt: 1,
                    worker: "w",
                    outcome: .prompted
                ),
                generation: 0,
                eventDigest: "",
                outputs: [],
                previousDigest: ""
            )
        )
    }

    @Test("A replay is offered where it can run, and its verdicts are shown only once it has run")
    func offersReplayWhereItCanRun() {
        #expect(Self.page(canReplay: true).contains("/interactions/3/17/replay"))
        #expect(!Self.page(canReplay: false).contains("/replay"))
        var story = Samples.story
        story.turns = [Self.turn(40)]
        let matched = "<span class=\"pill good\">Matched</span>"
        #expect(!Self.page(story, canReplay: true).contains(matched))
        #expect(Self.page(story, canReplay: true) { $0.report = ReplayReport() }.contains(matched))
    }

    @Test("R79: what a client probably did not mean is shown at its turn")
    func showsMistakesAtTheirTurn() {
        var story = Samples.story
        story.turns = [Self.turn(40)]
        #expect(!Self.page(story, canReplay: false).contains("Warnings"))
        story.turns[0].record.mistakes = [
            ClientMistake("params", in: "intent", .unknownMember, known: ["parameters"], eventID: "e40")
        ]
        let page = Self.page(story, canReplay: false)
        #expect(page.contains("<span class=\"pill warn\">1 warning</span>"))
        #expect(page.contains("intent.params is not read; did you mean parameters?"))
    }

    @Test("R77: what an interaction follows from, and what follows, is drawn above its conversation")
    func drawsChain() {
        #expect(!Self.page(canReplay: false).contains("class=\"chain\""))
        var story = Samples.story
        story.chain.origin = InteractionChain.Link(name: "taxi", interaction: Samples.interaction("vet-1"))
        story.chain.following = [
            InteractionChain.Link(name: "later", intent: "Ask", at: Samples.start),
            InteractionChain.Link(name: "tell", userID: "ada", state: "cancelled"),
        ]
        let page = Self.page(story, canReplay: false)
        #expect(page.contains("<a href=\"/interactions/3/17\">?</a> <span class=\"soft small\">taxi</span>"))
        #expect(page.contains("Ask <span class=\"soft small\">later</span> <span class=\"pill wait\">at <time"))
        #expect(page.contains("Notification <span class=\"soft small\">tell</span>"))
        #expect(page.contains("for ada</span> <span class=\"pill\">cancelled</span>"))
    }

    @Test("Each turn appears in the lane of its stage and, with its duration, in that of the commits")
    func drawsTurnsAndCommitsInLanes() {
        var story = Samples.story
        story.turns = [Self.turn(40), Self.turn(41)]
        let page = Self.page(story, canReplay: false)
        #expect(page.contains(">commit</text>"))
        #expect(page.ranges(of: "class=\"commit s1\"").count == 2)
        #expect(page.contains("<title>#1 was committed 14 ms later</title>"))
        #expect(page.contains("committed 14 ms later"))
        // Workers' clocks differ: what was written before it began is not drawn backwards.
        story.turns[0].timestamp = Samples.start + -50
        #expect(Self.page(story, canReplay: false).contains("<title>#1 was committed 0 ms later</title>"))
    }

    @Test("An attempt that ran long is drawn in the lane of its stage, and its commit begins when it ended")
    func drawsLongRun() {
        var story = Samples.story
        story.turns = [Self.turn(40), Self.turn(41)]
        story.turns[0].record.until = story.turns[0].record.at + 5_000
        story.turns[0].timestamp = story.turns[0].record.at + 5_009
        let page = Self.page(story, canReplay: false)
        #expect(page.contains("<title>#1 ran for 5 s</title>") || page.contains("<title>#1 ran for 5.0 s</title>"))
        #expect(page.ranges(of: "class=\"run s1\"").count == 1)
        #expect(page.contains("<title>#1 was committed 9 ms later</title>"))
    }

    @Test(
        "A template for trace URLs needs http or https and a placeholder for the id after the host",
        arguments: [
            ("http://jaeger:16686/trace/{trace}", true), ("https://t.example/?id={trace}&x={trace}#{trace}", true),
            ("http://jaeger:16686/trace/", false), ("javascript:alert('{trace}')", false), ("//jaeger/{trace}", false),
            ("http://{trace}/", false), ("http://{trace}.example/{trace}", false), ("http:///{trace}", false),
            ("http://me:secret@jaeger/{trace}", false), ("http://jaeger/a b/{trace}", false), ("{trace}", false),
            ("ftp://jaeger/{trace}", false), ("http://j\u{e4}ger/{trace}", false), ("HTTP://jaeger/{trace}", false),
        ]
    )
    func validatesTraceURLTemplate(text: String, isRead: Bool) {
        #expect((TraceLink(text) != nil) == isRead)
    }

    @Test("A trace id is a link where the operator has configured where traces are, else text")
    func linksTraceIDsWhereConfigured() throws {
        let id = "0af7651916cd43dd8448eb211c80319c"
        var story = Samples.story
        func trace(_ id: String) {
            story.events[0].headers = [
                LogHeader("ce_type", "intent.requested"), LogHeader("ce_userid", "u1"),
                LogHeader("traceparent", "00-\(id)-b7ad6b7169203331-01"),
            ]
        }
        trace(id)
        #expect(Self.page(story, canReplay: false).contains("<dd class=\"mono\">\(id)</dd>"))
        let link = try #require(TraceLink("https://t.example/x?a=\"&id={trace}"))
        let page = Self.page(story, canReplay: false) { $0.traces = link }
        #expect(page.contains("<a href=\"https://t.example/x?a=&quot;&amp;id=\(id)\" rel=\"noreferrer\">\(id)</a>"))
        // An id that a client has made up is none.
        trace("\"><script>")
        #expect(!Self.page(story, canReplay: false) { $0.traces = link }.contains("t.example"))
    }

    /// What the replay of an interaction with these turns selects.
    private static func selection(_ turns: [RecordedTurn]) -> ReplaySelection {
        var story = Samples.story
        story.turns = turns
        return Console.selection(of: story)
    }

    @Test("A replay reads only the part of the journal with the turns, if they are in one partition")
    func replayReadsOnlyItsPartOfJournal() {
        let one = Self.selection([Self.turn(12), Self.turn(9), Self.turn(40)])
        #expect(one.interaction == "dinner-1")
        #expect((one.partition, one.fromOffset, one.toOffset) == (3, 9, 41))
        let two = Self.selection([Self.turn(12), Self.turn(9, partition: 1)])
        #expect(two.interaction == "dinner-1")
        #expect((two.partition, two.fromOffset, two.toOffset) == (nil, nil, nil))
    }

    @Test("A prompt shows its choices as a list, and no list where there are none")
    func listsChoicesOfPrompt() {
        func story(_ options: [JSONValue]) -> InteractionStory {
            var story = Samples.story
            story.events = [
                Samples.event(
                    .responses,
                    18,
                    .promptIssued,
                    [
                        "promptId": "dinner-1/r/1", "kind": "needsValue", "parameter": "payee", "dialog": "Who?",
                        "options": .array(options),
                    ]
                )
            ]
            return story
        }
        let some = Self.page(story(["Jeff Hoof", "Kim"]), canReplay: false)
        #expect(some.contains("<ol class=\"choices\"><li>Jeff Hoof</li><li>Kim</li></ol>"))
        #expect(!Self.page(story([]), canReplay: false).contains("class=\"choices\""))
    }

    @Test("R71: choices and the answers that choose them are shown by title and subtitle, escaped, without images")
    func showsDisplaysOfOptions() {
        var story = Samples.story
        story.events = [
            Samples.event(
                .responses,
                18,
                .promptIssued,
                [
                    "promptId": "dinner-1/r/1", "kind": "disambiguation", "parameter": "payee", "dialog": "Who?",
                    "options": ["p-7", "p-9"],
                    "optionDisplays": [
                        ["title": "Bello", "subtitle": "<b>", "image": ["url": "https://vet.example/p-7"]],
                        ["title": "Minka"],
                    ],
                ]
            ),
            Samples.event(
                .requests,
                19,
                .promptAnswered,
                ["promptId": "dinner-1/r/1", "action": "accept", "choice": 1]
            ),
        ]
        let page = Self.page(story, canReplay: false)
        #expect(page.contains("<li>Bello (&lt;b&gt;)</li><li>Minka</li>"))
        #expect(page.contains("<div>Minka</div>"))
        #expect(!page.contains("vet.example"))
    }

    @Test("Tags mark an intent that moves money and one that waits while the device is locked")
    func tagsFinancialAndLockedIntents() {
        func text(_ more: JSONObject) -> String {
            var intent: JSONObject = ["name": "X", "confirmation": "always"]
            intent.merge(more) { $1 }
            return IntentsPage(intents: [.object(intent)], canTalk: false, canPause: false).page(in: Samples.frame).text
        }
        #expect(text(["financial": true]).contains("moves money or irreversible"))
        #expect(!text(["financial": false]).contains("moves money or irreversible"))
        #expect(text(["restrictedWhileLocked": true]).contains("waits while locked"))
        #expect(!text([:]).contains("waits while locked"))
    }

    @Test("A record's value is shown, masked, if it is an event and neither a turn nor a dead letter")
    func masksValuesOfRecords() {
        func text(_ topic: Topic, _ change: (inout RecordedEvent) -> Void = { _ in }) -> String {
            let data: JSONValue = ["card": "4111", "user": ["id": "u1"], "drink": "lemonade"]
            var record = Samples.event(topic, 5, .promptAnswered, data)
            record.headers = [LogHeader("ce_type", "prompt.answered")]
            change(&record)
            return RecordPage(record: record, masking: Samples.masking).page(in: Samples.frame).text
        }
        #expect(text(.requests).contains("lemonade"))
        #expect(!text(.requests).contains("4111"))
        for (topic, words) in [(Topic.journal, "A turn. The"), (.deadLetters, "Masked: the record")] {
            #expect(text(topic).contains(words))
            #expect(!text(topic).contains("class=\"json\""))
        }
        // A value that is no event, though it is JSON.
        let other = text(.requests) { $0.headers = [] }
        #expect(other.contains("Masked: the record") && !other.contains("lemonade"))
    }

    @Test("Changes are drawn if there are any")
    func drawsChangesIfAny() {
        #expect(OutcomeFlow.drawing([], same: 3).text.isEmpty)
        let none = ShadowReport.Change(intent: "X", then: "a", now: "b", interactions: [])
        #expect(OutcomeFlow.drawing([none], same: 3).text.isEmpty)
    }

    @Test("What would be redriven is shown even where nothing may be sent; sending needs permission")
    func showsDeadLettersAndSendsWithPermission() async throws {
        func status(_ action: String, allowsSending: Bool?) async throws -> Int {
            let operations = try await Samples.operations(
                withTopics: allowsSending != nil,
                allowsWrites: allowsSending ?? false
            )
            let gate = ConsoleGate(token: nil, host: "127.0.0.1")
            let form = Fields([("form", gate.formToken), ("do", action), ("letter-1", "0/7")])
            let request = HTTPServerRequest(.post, ["dead-letters"], form: form, host: "127.0.0.1:1")
            return await Console(operations, gate: gate).respond(to: request).status
        }
        // There are no records here, so a page cannot be made; what is not allowed is no page at all.
        #expect(try await status("look", allowsSending: nil) == 404)
        #expect(try await status("send", allowsSending: nil) == 404)
        #expect(try await status("send", allowsSending: false) == 404)
        #expect(try await status("handle", allowsSending: nil) == 404)
        #expect(try await status("handle", allowsSending: false) == 404)
        #expect(try await status("handle", allowsSending: true) == 503)
        #expect(try await status("look", allowsSending: false) == 503)
        #expect(try await status("send", allowsSending: true) == 503)
    }
}
