import Foundation
import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentRuntime

@Suite("R77: a handler's follow-ups are sent with its response", .timeLimit(.minutes(1)))
struct FollowUpTests {
    /// The stage `handle`, whose handler does what a test says.
    private static func handling(
        format: Int = 2,
        _ handle: @escaping @Sendable (ProbeIntent, TurnContext) async throws -> ProbeHandler.Response
    ) -> StillConversation {
        StillConversation(in: .handle, format: format, [Self.registration(handle)])
    }

    private static func registration(
        _ handle: @escaping @Sendable (ProbeIntent, TurnContext) async throws -> ProbeHandler.Response
    ) -> IntentRegistration {
        IntentRegistration {
            var handler = ProbeHandler()
            handler.handle = handle
            return handler
        }
    }

    /// The interaction's event before `handle`.
    private static func confirmed(_ change: (inout Interaction) -> Void = { _ in }) -> JSONValue {
        var interaction = Interaction.greeting()
        interaction.intent = IntentSnapshot(name: "ProbeIntent", parameters: ["first": "a", "second": "b"])
        change(&interaction)
        return ["intent": interaction.intent.json, "interaction": interaction.json, "user": ["id": "u1"]]
    }

    // MARK: Notifications

    @Test("notified: the user is notified after the response, in the same turn, in the user's language")
    func notified() async throws {
        let conversation = Self.handling { _, context in
            try context.notify("reminder", saying: ["en": "Bring it.", "de": "Bitte mitbringen."], details: ["n": 1])
            return ProbeHandler.Response(code: .success)
        }
        let confirmed = Self.confirmed { $0.locale = "de-AT" }
        let result = try await conversation.receive(.intentConfirmed, confirmed, on: .confirmed)
        #expect(result.events == [.intentResponded, .userNotified] && result.record.outcome == .ended)
        #expect(
            try result.data(of: .userNotified)
                == ["details": ["n": 1], "dialog": "Bitte mitbringen.", "name": "reminder", "user": ["id": "u1"]]
        )
    }

    @Test("A response that hands the task to the app notifies as well")
    func notifiedInProgress() async throws {
        let conversation = Self.handling { _, context in
            try context.notify("reminder", saying: "Bring it.")
            return ProbeHandler.Response(code: .inProgress)
        }
        let result = try await conversation.receive(.intentConfirmed, Self.confirmed(), on: .confirmed)
        #expect(result.events == [.intentResponded, .userNotified] && result.record.outcome == .reported)
    }

    private struct Defect: Error {}

    private struct Hiccup: TransientError {}

    @Test("nothingOfAFailedTurn: nothing is sent if the handler throws, asks back or is tried again", arguments: 0..<3)
    func nothingOfAFailedTurn(_ number: Int) async throws {
        let conversation = Self.handling { _, context in
            try context.notify("reminder", saying: "Bring it.")
            switch number {
            case 0: throw Defect()
            case 1: throw Hiccup()
            default: return .asking(\.$first, .needsValue())
            }
        }
        let result = try await conversation.receive(.intentConfirmed, Self.confirmed(), on: .confirmed)
        #expect(result.record.outcome == [.ended, .parked, .returned][number])
        #expect(!result.events.contains(.userNotified))
    }

    @Test("Beyond a limit nothing is sent, and the error names the follow-up")
    func limits() async throws {
        let conversation = Self.handling { intent, context in
            try context.notify("first", saying: "1")
            switch intent.first {
            case "again": try context.notify("first", saying: "2")
            case "many": for number in 2...21 { try context.notify("\(number)", saying: "x") }
            case "words": try context.notify("long", saying: LocalizedText(String(repeating: "x", count: 4_097)))
            case "details":
                try context.notify("big", saying: "x", details: ["d": .string(String(repeating: "x", count: 16_384))])
            case "depth":
                let deep = (0..<32).reduce(JSONValue.null) { value, _ in .array([value]) }
                try context.notify("deep", saying: "x", details: ["d": deep])
            default: try context.notify(intent.first ?? "", saying: "x")
            }
            return ProbeHandler.Response(code: .success)
        }
        let names = ["", " ", "a\nb", String(repeating: "n", count: 129)]
        for (first, problem) in [
            ("again", "first has the name of another one of this turn"),
            ("many", "21 is one too many: a turn has 20 at most"), ("words", "long has words of more than 4096 bytes"),
            ("details", "big has details of more than 16384 bytes of JSON"),
            ("depth", "deep has details that nest deeper than 32 levels"),
        ] + names.map({ ($0, "has a name that is empty, has control characters or is longer than 128 bytes") }) {
            let confirmed = Self.confirmed { $0.intent.parameters["first"] = .string(first) }
            let result = try await conversation.receive(.intentConfirmed, confirmed, on: .confirmed)
            #expect(!result.events.contains(.userNotified) && result.end?.reason == .error)
            #expect(result.failure?.message.contains(problem) == true, "\(result.failure?.message ?? "")")
        }
    }

    private struct EarlyHandler: IntentHandler {
        var handling: Handling<ProbeIntent> {
            Confirm { _, context in
                try context.notify("reminder", saying: "Bring it.")
                return IntentResponse(code: .ready)
            }
            Handle { _, _ in IntentResponse(code: .success) }
            UpdateStatus(every: .seconds(1)) { _, context in
                try context.notify("reminder", saying: "Bring it.")
                return StatusUpdate(IntentResponse(code: .success))
            }
        }
    }

    @Test("Only the parts that perform the task notify")
    func onlyWhereTheTaskIsPerformed() async throws {
        let registrations = [IntentRegistration { EarlyHandler() }]
        let confirm = StillConversation(in: .confirm, registrations)
        let confirmed = try await confirm.receive(.intentResolved, Self.confirmed(), on: .resolved)
        let handle = StillConversation(in: .handle, registrations)
        try await handle.receive(.intentConfirmed, Self.confirmed(), on: .confirmed)
        let timer: JSONValue = ["deadline": "1970-01-01T00:00:01.000Z", "user": ["id": "u1"], "what": "status"]
        let updated = try await handle.receive(.timerFired, timer, on: .signals, at: Timestamp(milliseconds: 1_000))
        for result in [confirmed, updated] {
            #expect(!result.events.contains(.userNotified))
            let problem = "The follow-up reminder was asked for outside of handle and AppResponded."
            #expect(result.failure?.message == problem, "\(result.failure?.message ?? "")")
        }
    }

    @Test("A conversation with a notification replays without a difference")
    func conversationReplays() async throws {
        let registration = Self.registration { _, context in
            try context.notify("reminder", saying: "Bring it.")
            return ProbeHandler.Response(code: .success)
        }
        try await Pipeline.with([registration], settings: .unhurried) { pipeline in
            try await pipeline.request("ProbeIntent", ["first": "a", "second": "b"], subject: "i1")
            #expect(try await pipeline.next(of: "i1").data["endReason"] == "nominal")
            let notified = try await pipeline.next(of: "i1")
            #expect(notified.knownType == .userNotified && notified.data["dialog"] == "Bring it.")
            #expect(try await pipeline.replayAll([registration]).allSatisfy(\.isMatch))
        }
    }

    @Test("notifiedAnother: another user is notified in their home partition, and learns nothing of the interaction")
    func notifiedAnother() async throws {
        let conversation = Self.handling { _, context in
            try context.notify("tell Ada", user: "ada", saying: "Bello is at the vet.")
            try context.notify("tell me", user: context.user.id, saying: "Ada knows.")
            return ProbeHandler.Response(code: .success)
        }
        let result = try await conversation.receive(.intentConfirmed, Self.confirmed(), on: .confirmed)
        #expect(result.events == [.intentResponded, .userNotified])
        let sent = try #require(result.addressed.first)
        #expect(sent.topic == .responses && sent.id == nil && sent.draft.userID == "ada")
        #expect(sent.draft.subject == nil && sent.draft.request == nil && sent.draft.passedThrough.isEmpty)
        #expect(try JSONValue(parsing: sent.draft.value)["dialog"] == "Bello is at the vet.")
    }

    // MARK: Intents

    /// Starts an intent.
    private static func start(_ intent: ProbeIntent, _ context: TurnContext) throws -> ProbeHandler.Response {
        var next = ProbeIntent()
        next.first = "later"
        let id = try context.start("ask again", next, saying: "About before:")
        return ProbeHandler.Response(code: .success, details: ["id": .string(id)])
    }

    @Test("followUpNow: handle passes the intent to resolve, with an id that is the same if the turn runs again")
    func followUpNow() async throws {
        for _ in 0..<2 {
            let conversation = Self.handling { try Self.start($0, $1) }
            let confirmed = Self.confirmed { $0.groupIdentifier = "g" }
            let result = try await conversation.receive(.intentConfirmed, confirmed, on: .confirmed)
            #expect(result.events == [.intentResponded, .followUpScheduled] && result.neededFormat == 2)
            let response = try #require(try result.data(of: .intentResponded))
            let id = try #require(response["response"]?["id"]?.string)
            let digits = TurnIdentifiers(deployment: "d", stage: .handle, position: result.stored.position)
                .id(generation: 0, ordinal: "f0").prefix(8)
            #expect(id == "i1+ask again-\(digits)")
            #expect(
                response["started"]
                    == [["intent": "ProbeIntent", "interaction": .string(id), "name": "ask again"]]
            )
            #expect(
                try result.data(of: .followUpScheduled) == [
                    "depth": 1, "dialog": "About before:", "followedIntent": "ProbeIntent", "follows": "i1",
                    "groupIdentifier": "g",
                    "intent": ["name": "ProbeIntent", "parameters": ["first": "later"]], "interaction": .string(id),
                    "locale": "en-US", "name": "ask again", "request": "0:7", "user": ["id": "u1"],
                ]
            )
        }
    }

    private static func scheduled(_ members: JSONObject = [:]) -> JSONValue {
        var data: JSONObject = [
            "depth": 1, "dialog": "About before:", "followedIntent": "GreetIntent", "follows": "i1",
            "intent": ["name": "ProbeIntent", "parameters": ["first": "later"]], "interaction": "i1+again-0a1b2c3d",
            "locale": "de-AT", "name": "again", "request": "0:7", "timeZone": "Europe/Vienna", "user": ["id": "u1"],
        ]
        data.merge(members) { $1 }
        return .object(data)
    }

    /// The request that resolve writes for a follow-up.
    private static func request(
        _ members: JSONObject = [:],
        partitions: Int = 1
    ) async throws -> (result: TurnResult, sent: TurnResult.Addressed) {
        let stored = StillTurn.stored(.followUpScheduled, Self.scheduled(members), on: .signals)
        let result = try #require(try await StillTurn.run(stored, in: .resolve, partitions: partitions))
        return (result, try #require(result.addressed.first))
    }

    @Test("Resolve writes the request: without a device, without a sign-in")
    func requestIsWritten() async throws {
        let (result, sent) = try await Self.request()
        #expect(result.record.outcome == .noted && result.writes.isEmpty && result.outputs.count == 1)
        #expect(sent.topic == .requests && sent.draft.type == .intentRequested && sent.draft.userID == "u1")
        #expect(sent.draft.subject == "i1+again-0a1b2c3d")
        #expect(sent.draft.passedThrough == ["ce_followsfrom": "0:7/1/again"])
        #expect(
            try JSONValue(parsing: sent.draft.value) == [
                "dialog": "About before:", "follows": ["interaction": "i1", "name": "again"],
                "intent": ["name": "ProbeIntent", "parameters": ["first": "later"]], "locale": "de-AT",
                "timeZone": "Europe/Vienna", "user": ["authenticated": false, "id": "u1"],
            ]
        )
    }

    @Test("otherUsersHomePartition: the request of another user is in that user's home partition", arguments: 0..<8)
    func otherUsersHomePartition(_ number: Int) async throws {
        let user = UserID("user \(number)")
        let (_, sent) = try await Self.request(["for": user.json, "contactsAccess": false], partitions: 5)
        #expect(sent.draft.userID == user && sent.partition == HomePartition.of(user: user, count: 5))
        let data = try JSONValue(parsing: sent.draft.value)
        #expect(data["follows"] == nil)
        #expect(data["user"] == ["authenticated": false, "contactsAccess": false, "id": user.json])
    }

    @Test("A follow-up that cannot be read goes to dead letters")
    func unreadableFollowUp() async throws {
        let stored = StillTurn.stored(.followUpScheduled, ["name": "again", "user": ["id": "u1"]], on: .signals)
        let result = try #require(try await StillTurn.run(stored, in: .resolve))
        #expect(result.outputs.map(\.topic) == [.deadLetters] && result.record.outcome == .deadLettered)
    }

    /// The interaction that resolve begins with a request.
    private static func begun(
        _ sent: TurnResult.Addressed,
        _ change: (inout Event) -> Void = { _ in }
    ) async throws -> (interaction: Interaction, prompt: JSONValue) {
        var event = Event(
            id: try #require(sent.id),
            source: "/intentd/resolve",
            type: .intentRequested,
            time: StillTurn.start,
            subject: sent.draft.subject,
            userID: sent.draft.userID,
            passedThrough: sent.draft.passedThrough,
            data: try JSONValue(parsing: sent.draft.value)
        )
        change(&event)
        let result = try #require(
            try await StillTurn.run(
                event.stored(on: .requests, partition: 0, offset: 9),
                in: .resolve,
                [IntentRegistration { ProbeHandler() }],
                behaviour: 6
            )
        )
        let interaction = try #require(result.written(.interaction("0:9"), Interaction.self))
        return (interaction, try #require(try result.data(of: .promptIssued)))
    }

    @Test("The first prompt begins with the handler's words, and names what it follows from")
    func firstPromptBeginsWithWords() async throws {
        let (interaction, prompt) = try await Self.begun(Self.request().sent)
        #expect(prompt["dialog"]?.string?.hasPrefix("About before: ") == true)
        #expect(prompt["follows"] == ["interaction": "i1", "name": "again"] && prompt["warnings"] == nil)
        #expect(interaction.follows == "i1" && interaction.opening == nil && interaction.format == 2)
        #expect(interaction.followsFrom == FollowUpOrigin(request: "0:7", depth: 1, name: "again"))
        #expect(!interaction.isForAnother && !interaction.user.isAuthenticated)
        #expect(Interaction(text: interaction.utf8) == interaction)
    }

    @Test("forgedOriginIsAnOrdinaryRequest: with another id, user, interaction or data", arguments: 0..<5)
    func forgedOriginIsAnOrdinaryRequest(_ number: Int) async throws {
        let (interaction, prompt) = try await Self.begun(Self.request().sent) { event in
            switch number {
            case 0: event.id = "e1"
            case 1: event.subject = "i2"
            case 2: event.data = Self.scheduled()
            case 3: event.passedThrough["ce_followsfrom"] = "0:7/2/again"
            default: event.passedThrough["ce_followsfrom"] = "again"
            }
        }
        #expect(interaction.followsFrom == nil && interaction.follows == nil && interaction.format == 1)
        #expect(prompt["follows"] == nil && prompt["dialog"]?.string?.hasPrefix("About") == false)
        #expect(!interaction.isForAnother)
    }

    @Test("A client's own follows and dialog are named as mistakes")
    func membersOfClientsAreNamed() async throws {
        let (interaction, prompt) = try await Self.begun(Self.request().sent) { $0.passedThrough = [:] }
        #expect(interaction.opening == nil)
        #expect((prompt["warnings"]?.array ?? []).map { $0["member"] } == ["dialog", "follows"])
    }

    @Test("Headers of other forms name no origin")
    func formsOfOrigins() {
        #expect(FollowUpOrigin("3:17/20/a/b") == FollowUpOrigin(request: "3:17", depth: 20, name: "a/b"))
        for text in ["", "3:17", "3:17/1", "3:17/1/", "3:17/0/a", "3:17/-1/a", "3/1/a", "3:17/x/a"] {
            #expect(FollowUpOrigin(text) == nil, "\(text)")
        }
    }

    private static var format2: RuntimeSettings {
        var settings = RuntimeSettings.unhurried
        settings.formats.writes = 2
        return settings
    }

    @Test("forAnotherIsAlwaysConfirmed: whatever the policy is; it contains nothing of this user")
    func forAnotherIsAlwaysConfirmed() async throws {
        let probe = Self.registration { _, context in
            var greeting = GreetIntent()
            greeting.name = "Ada"
            try context.start("greet", greeting, for: "ada")
            return ProbeHandler.Response(code: .success)
        }
        let registrations = [probe, IntentRegistration(confirmation: .never) { GreetHandler() }]
        try await Pipeline.with(registrations, settings: Self.format2) { pipeline in
            try await pipeline.request("ProbeIntent", ["first": "a", "second": "b"], subject: "i1")
            let end = try await pipeline.next(of: "i1")
            #expect(end.data["started"]?.array?.first?["user"] == "ada")
            let prompt = try await pipeline.next { $0.userID == "ada" }
            #expect(prompt.data["kind"] == "intentConfirmation" && prompt.data["follows"] == nil)
            #expect(prompt.subject?.text == end.data["started"]?.array?.first?["interaction"]?.string)
            try await pipeline.answer(prompt, user: "ada", [:])
            let greeted = try await pipeline.next { $0.userID == "ada" }
            #expect(greeted.data["response"]?["greeting"] == "Hello, Ada")
            #expect(greeted.passedThrough["ce_followsfrom"]?.hasSuffix("/1/greet") == true)
            #expect(try await pipeline.replayAll(registrations).allSatisfy(\.isMatch))
        }
    }

    @Test("chainHasAnEnd: at most twenty interactions follow from each other")
    func chainHasAnEnd() async throws {
        let registration = Self.registration { intent, context in
            let depth = context.followsFrom?.depth ?? 0
            #expect((context.followsFrom?.interactionID == nil) == (depth == 0))
            try context.start("again", intent)
            return ProbeHandler.Response(code: .success, details: ["depth": .integer(Int64(depth))])
        }
        try await Pipeline.with([registration], settings: Self.format2) { pipeline in
            try await pipeline.request("ProbeIntent", ["first": "a", "second": "b"], subject: "i1")
            for depth in 0..<20 {
                let end = try await pipeline.next { $0.data["terminal"] == true }
                #expect(end.data["response"]?["depth"] == .integer(Int64(depth)))
            }
            #expect(try await pipeline.next { $0.data["terminal"] == true }.data["endReason"] == "error")
            try await pipeline.settle()
            let ends = try await pipeline.records(of: .responses).filter { $0.header("ce_type") == "intent.responded" }
            #expect(ends.count == 21)
            #expect(try await pipeline.replayAll([registration]).allSatisfy(\.isMatch))
        }
    }

    @Test("needsFormat2: starting is an error while format 1 is written, and notifying is not")
    func needsFormat2() async throws {
        let starting = try await Self.handling(format: 1) { try Self.start($0, $1) }
            .receive(.intentConfirmed, Self.confirmed(), on: .confirmed)
        #expect(starting.end?.reason == .error && starting.neededFormat == 1)
        #expect(starting.failure?.message.contains("needs format 2") == true)
        let notifying =
            try await Self.handling(format: 1) { _, context in
                try context.notify("reminder", saying: "Bring it.")
                return ProbeHandler.Response(code: .success)
            }
            .receive(.intentConfirmed, Self.confirmed(), on: .confirmed)
        #expect(notifying.events.contains(.userNotified) && notifying.neededFormat == 1)
    }

    // MARK: Later

    private static let followUp: StateName = .followUp("i1+again-0a1b2c3d")
    private static let due = Timestamp(milliseconds: 5_000)

    /// The stage `resolve` with a follow-up that waits until 5 s after the beginning.
    private static func waiting(
        _ members: JSONObject = [:]
    ) async throws -> (conversation: StillConversation, result: TurnResult) {
        let conversation = StillConversation([IntentRegistration { ProbeHandler() }])
        var scheduled = members
        scheduled["at"] = .integer(Self.due.milliseconds)
        let result = try await conversation.receive(.followUpScheduled, Self.scheduled(scheduled), on: .signals)
        return (conversation, result)
    }

    /// The event of the timer of that follow-up.
    private static var timer: JSONValue {
        [
            "deadline": .string("\(Self.due)"), "entry": Self.followUp.json, "user": ["id": "u1"], "what": "followUp",
        ]
    }

    @Test("followUpWaits: resolve keeps it until its time, with a timer")
    func followUpWaits() async throws {
        let (_, result) = try await Self.waiting()
        #expect(result.outputs.isEmpty && result.record.outcome == .noted && result.neededFormat == 2)
        let kept = try #require(result.written(Self.followUp, ScheduledFollowUp.self))
        #expect(
            kept.at == Self.due
                && kept.content == .intent(IntentSnapshot(name: "ProbeIntent", parameters: ["first": "later"]))
        )
        #expect(ScheduledFollowUp(text: kept.utf8) == kept)
        let timers = PendingTimer.timers(in: StateEntry(kept), name: Self.followUp, user: "u1")
        #expect(timers == [PendingTimer(kind: .followUp, deadline: Self.due, user: "u1", name: Self.followUp)])
        let event = try #require(timers.first?.event(of: kept, stage: .resolve, now: Self.due))
        #expect(try JSONValue(parsing: event.draft.value) == Self.timer && event.draft.subject == "i1")
    }

    @Test("followUpIsDue: at its time it is sent once, and its entry is removed")
    func followUpIsDue() async throws {
        let (conversation, _) = try await Self.waiting(["for": "ada"])
        let early = try await conversation.receive(.timerFired, Self.timer, on: .signals, at: Self.due + -1)
        #expect(early.outputs.isEmpty && early.writes.isEmpty && early.earlyTimers == [Self.followUp])
        let due = try await conversation.receive(.timerFired, Self.timer, on: .signals, at: Self.due)
        #expect(due.addressed.map(\.draft.userID) == ["ada"] && due.outputs.count == 1)
        #expect(due.writes.contains { $0.key == Self.followUp && $0.value == nil })
        let again = try await conversation.receive(.timerFired, Self.timer, on: .signals, at: Self.due)
        #expect(again.outputs.isEmpty && again.record.outcome == .ignored)
    }

    @Test("A follow-up whose time has come when resolve receives it is sent at once")
    func followUpOfThePast() async throws {
        let (_, sent) = try await Self.request(["at": 0])
        #expect(sent.topic == .requests)
    }

    @Test("notifiedLater: the notification says when it was due")
    func notifiedLater() async throws {
        let notification: JSONObject = ["details": ["n": 1], "intent": .null]
        let (conversation, _) = try await Self.waiting(notification)
        let result = try await conversation.receive(.timerFired, Self.timer, on: .signals, at: Self.due)
        #expect(result.events == [.userNotified])
        #expect(
            try result.data(of: .userNotified) == [
                "at": .string("\(Self.due)"), "details": ["n": 1], "dialog": "About before:", "name": "again",
                "user": ["id": "u1"],
            ]
        )
    }

    @Test("followUpIsCancelled: by its id; the user is notified in the interaction that it follows from")
    func followUpIsCancelled() async throws {
        let (conversation, _) = try await Self.waiting()
        let cancelled = try await conversation.cancel("i1+again-0a1b2c3d")
        #expect(cancelled.record.outcome == .noted && cancelled.events == [.statusUpdated])
        #expect(
            try cancelled.data(of: .statusUpdated) == [
                "intent": ["name": "GreetIntent", "parameters": [:]], "response": [:],
                "started": [["interaction": "i1+again-0a1b2c3d", "name": "again", "state": "cancelled"]],
                "user": ["id": "u1"],
            ]
        )
        let due = try await conversation.receive(.timerFired, Self.timer, on: .signals, at: Self.due)
        #expect(due.outputs.isEmpty)
        let again = try await conversation.cancel("i1+again-0a1b2c3d")
        #expect(again.record.outcome == .forwarded)
    }

    @Test("followUpOfUnsupportedIntent: it is sent like any other, and ends as an ordinary request")
    func followUpOfUnsupportedIntent() async throws {
        let intent: JSONValue = ["name": "NobodyIntent", "parameters": [:]]
        let (conversation, _) = try await Self.waiting(["intent": intent])
        let due = try await conversation.receive(.timerFired, Self.timer, on: .signals, at: Self.due)
        let sent = try #require(due.addressed.first?.draft)
        #expect(sent.type == .intentRequested)
        let data = try JSONValue(parsing: sent.value)
        let result = try await conversation.receive(
            .intentRequested,
            data,
            on: .requests,
            about: "i1+again-0a1b2c3d"
        )
        #expect(result.end?.reason == .unsupportedIntent)
        #expect(Set(result.events) == [.intentResponded, .userActivityCreated])
    }

    @Test("tooManyPending: a hundred wait, and the next one is refused")
    func tooManyPending() async throws {
        let (conversation, _) = try await Self.waiting()
        for number in 2...100 {
            let scheduled = Self.scheduled(["at": 5_000, "interaction": .string("i\(number)")])
            let result = try await conversation.receive(.followUpScheduled, scheduled, on: .signals)
            #expect(result.writes.count == 1)
        }
        let scheduled = Self.scheduled(["at": 5_000, "interaction": "i101"])
        let refused = try await conversation.receive(.followUpScheduled, scheduled, on: .signals)
        #expect(refused.writes.isEmpty && refused.events == [.statusUpdated])
        let state = try refused.data(of: .statusUpdated)?["started"]?.array?.first?["state"]
        #expect(state == "refused")
    }

    @Test("A handler schedules up to 90 days ahead, and cancels what it has started")
    func handlerSchedulesAndCancels() async throws {
        let conversation = Self.handling { intent, context in
            let day: Double = 86_400
            try context.start("again", intent, at: context.now.addingTimeInterval(90 * day))
            try context.notify("soon", at: context.now.addingTimeInterval(day), saying: "Tomorrow.")
            try context.notify("before", at: context.now.addingTimeInterval(-day), saying: "Now.")
            try context.cancelStarted("i0+again-0a1b2c3d")
            if intent.second == "late" {
                try context.start("late", intent, at: context.now.addingTimeInterval(90 * day + 1))
            }
            return ProbeHandler.Response(code: .success)
        }
        let result = try await conversation.receive(.intentConfirmed, Self.confirmed(), on: .confirmed)
        #expect(
            result.events
                == [.intentResponded, .followUpScheduled, .followUpScheduled, .userNotified, .interactionCancelled]
        )
        let started = try #require(try result.data(of: .intentResponded)?["started"]?.array)
        #expect(
            started.map { $0["name"] } == ["again", "soon"] && started.map { $0["intent"] } == ["ProbeIntent", nil]
        )
        #expect(started.last?["at"] == "1970-01-02T00:00:00.000Z")
        guard case .event(.signals, let draft) = try #require(result.outputs.last) else {
            Issue.record("The cancellation goes to resolve.")
            return
        }
        #expect(draft.subject == "i0+again-0a1b2c3d" && draft.stage == .resolve)
        let late = Self.confirmed { $0.intent.parameters["second"] = "late" }
        let refused = try await conversation.receive(.intentConfirmed, late, on: .confirmed)
        #expect(refused.failure?.message == "The follow-up late is due more than 90 days from now.")
    }

    @Test("pendingSurvivesRestart, cancelledByAnother, cancelledAfterItWasDue: it begins tomorrow, once, for its user")
    func pendingSurvivesRestart() async throws {
        let registration = Self.registration { intent, context in
            if context.followsFrom == nil {
                for name in ["one", "two"] {
                    try context.start(name, intent, at: context.now.addingTimeInterval(86_400))
                }
            }
            return ProbeHandler.Response(code: .success)
        }
        try await Pipeline.with([registration], settings: Self.format2) { pipeline in
            try await pipeline.request("ProbeIntent", ["first": "a", "second": "b"], subject: "i1")
            let started = try await pipeline.end(of: "i1").data["started"]?.array ?? []
            let ids = started.compactMap { $0["interaction"]?.string.map { InteractionID($0) } }
            #expect(ids.count == 2)
            try await pipeline.settle()
            try await pipeline.send(.interactionCancelled, user: "u2", subject: ids[0], data: ["user": ["id": "u2"]])
            #expect(try await pipeline.next { $0.userID == "u2" }.data["reason"] == "unknown")
            try await pipeline.send(.interactionCancelled, subject: ids[1], data: ["user": ["id": "u1"]])
            let update = try await pipeline.next(of: "i1")
            #expect(update.data["started"]?.array?.first?["state"] == "cancelled")
            await pipeline.restartWorkers(after: .seconds(86_400))
            let end = try await pipeline.end(of: ids[0])
            #expect(end.data["follows"] == ["interaction": "i1", "name": "one"])
            // It has begun, and ended: now it is an interaction like any other.
            try await pipeline.send(.interactionCancelled, subject: ids[0], data: ["user": ["id": "u1"]])
            #expect(try await pipeline.next(of: ids[0]).data["reason"] == "late")
            try await pipeline.settle()
            let requests = try await pipeline.records(of: .requests)
                .filter { $0.header("ce_type") == "intent.requested" }
            #expect(requests.count == 2)
            #expect(try await pipeline.replayAll([registration]).allSatisfy(\.isMatch))
        }
    }

    @Test("A long interaction id leaves room for the ids of its follow-ups and of a redrive")
    func longIDs() {
        let long = String(repeating: "é", count: 512)
        let id = FollowUp(String(repeating: "n", count: 128), .notification([:])).id(of: long, digits: "0a1b2c3d")
        #expect(id.hasPrefix("éé") && id.utf8.count == 840 + 1 + 128 + 1 + 8)
    }
}

extension StillConversation {
    /// Cancels an interaction by its id.
    fileprivate func cancel(_ id: InteractionID) async throws -> TurnResult {
        try await self.receive(.interactionCancelled, ["user": ["id": "u1"]], on: .requests, about: id)
    }
}

extension TurnResult {
    /// What is written to another partition.
    typealias Addressed = (topic: Topic, draft: EventDraft, partition: Int, id: String?)

    fileprivate var addressed: [Addressed] {
        self.outputs.compactMap { output in
            guard case .addressed(let topic, let draft, let partition, let id) = output else { return nil }
            return (topic, draft, partition, id)
        }
    }
}
