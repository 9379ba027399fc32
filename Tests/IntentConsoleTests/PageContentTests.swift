import IntentEvents
import IntentKit
import Synchronization
import Testing

@testable import IntentAudit
@testable import IntentConsole
@testable import IntentStore

@Suite("What pages show, and what they leave out")
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
            record: TurnRecord(
                stage: .resolve,
                position: RecordPosition(.requests, partition, offset),
                generation: 0,
                eventID: "e\(offset)",
                eventType: "intent.requested",
                userID: "u1",
                at: Samples.start,
                attempt: 1,
                worker: "w",
                outcome: .prompted
            )
        )
    }

    @Test("a replay is offered where it can be run, and its verdicts are shown only once it has run")
    func replaying() {
        #expect(Self.page(canReplay: true).contains("/interactions/3/17/replay"))
        #expect(!Self.page(canReplay: false).contains("/replay"))
        var story = Samples.story
        story.turns = [Self.turn(40)]
        let matched = "<span class=\"pill good\">Matched</span>"
        #expect(!Self.page(story, canReplay: true).contains(matched))
        #expect(Self.page(story, canReplay: true) { $0.report = ReplayReport() }.contains(matched))
    }

    /// What the replay of an interaction with these turns selects.
    private static func selection(_ turns: [RecordedTurn]) async throws -> ReplaySelection? {
        let asked = Mutex<ReplaySelection?>(nil)
        var source = ConsoleSource(deployment: "intents", records: "none", masking: Samples.masking, intents: [])
        source.replay = { selection, _ in
            asked.withLock { $0 = selection }
            return ReplayReport()
        }
        var story = Samples.story
        story.turns = turns
        let response = await Console(source, gate: ConsoleGate(token: nil, host: "localhost")).replay(story)
        #expect(response.status == 200)
        return asked.withLock(\.self)
    }

    @Test("a replay reads only the part of the journal that has the turns, if they are in one partition")
    func selects() async throws {
        let one = try #require(try await Self.selection([Self.turn(12), Self.turn(9), Self.turn(40)]))
        #expect(one.interaction == "dinner-1")
        #expect((one.partition, one.fromOffset, one.toOffset) == (3, 9, 41))
        let two = try #require(try await Self.selection([Self.turn(12), Self.turn(9, partition: 1)]))
        #expect(two.interaction == "dinner-1")
        #expect((two.partition, two.fromOffset, two.toOffset) == (nil, nil, nil))
    }

    @Test("a prompt shows its choices as a list, and no list where there are none")
    func choices() {
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

    @Test("an intent that moves money says so, and so does one that waits while the device is locked")
    func tags() {
        func text(_ more: JSONObject) -> String {
            var intent: JSONObject = ["name": "X", "confirmation": "always"]
            intent.merge(more) { $1 }
            return IntentsPage(intents: [.object(intent)], canTalk: false).page(in: Samples.frame).text
        }
        #expect(text(["financial": true]).contains("money, or final"))
        #expect(!text(["financial": false]).contains("money, or final"))
        #expect(text(["restrictedWhileLocked": true]).contains("waits while locked"))
        #expect(!text([:]).contains("waits while locked"))
    }

    @Test("a record's value is shown, masked, if it is an event that is no turn and no dead letter")
    func values() {
        func text(_ topic: Topic, _ change: (inout RecordedEvent) -> Void = { _ in }) -> String {
            let data: JSONValue = ["card": "4111", "user": ["id": "u1"], "drink": "lemonade"]
            var record = Samples.event(topic, 5, .promptAnswered, data)
            record.headers = [LogHeader("ce_type", "prompt.answered")]
            change(&record)
            return RecordPage(record: record, masking: Samples.masking).page(in: Samples.frame).text
        }
        #expect(text(.requests).contains("lemonade"))
        #expect(!text(.requests).contains("4111"))
        for (topic, words) in [(Topic.journal, "A turn: its"), (.deadLetters, "Its bytes are masked")] {
            #expect(text(topic).contains(words))
            #expect(!text(topic).contains("class=\"json\""))
        }
        // A value that is no event, though it is JSON.
        let other = text(.requests) { $0.headers = [] }
        #expect(other.contains("Its bytes are masked") && !other.contains("lemonade"))
    }

    @Test("changes are drawn if there are any")
    func changes() {
        #expect(OutcomeFlow.drawing([], same: 3).text.isEmpty)
        let none = ShadowReport.Change(intent: "X", then: "a", now: "b", interactions: [])
        #expect(OutcomeFlow.drawing([none], same: 3).text.isEmpty)
    }

    @Test("what would be sent again can be seen where nothing may be sent; sending needs leave")
    func letters() async {
        func status(_ action: String, allowsSending: Bool?) async -> Int {
            var source = ConsoleSource(deployment: "intents", records: "none", masking: Samples.masking, intents: [])
            source.letters = allowsSending.map { allows in
                ConsoleLetters(allowsSending: allows, show: { _ in .null }, redrive: { _, _ in [] })
            }
            let gate = ConsoleGate(token: nil, host: "127.0.0.1")
            let form = Fields([("form", gate.formToken), ("do", action), ("letter-1", "0/7")])
            let request = ConsoleRequest(.post, ["dead-letters"], form: form, host: "127.0.0.1:1")
            return await Console(source, gate: gate).respond(to: request).status
        }
        // There are no records here, so a page cannot be made; what is not allowed is no page at all.
        #expect(await status("look", allowsSending: nil) == 404)
        #expect(await status("send", allowsSending: nil) == 404)
        #expect(await status("send", allowsSending: false) == 404)
        #expect(await status("look", allowsSending: false) == 503)
        #expect(await status("send", allowsSending: true) == 503)
    }
}
