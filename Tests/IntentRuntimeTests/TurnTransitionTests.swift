import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentRuntime

/// Each test names the transition of a turn that it is about.
@Suite("Transitions of a turn", .timeLimit(.minutes(1)))
struct TurnTransitionTests {
    private static func interaction(_ parameters: JSONObject = [:], prompt: PromptKind? = nil) -> Interaction {
        var interaction = Interaction.greeting(parameters)
        interaction.prompt = prompt.map { Prompt(number: 1, kind: $0, expiresAt: Timestamp(milliseconds: 1_000)) }
        return interaction
    }

    /// A request for a greeting.
    private static func request(_ parameters: JSONObject = [:], partition: Int = 0) -> StoredRecord {
        let data: JSONValue = [
            "intent": ["name": "GreetIntent", "parameters": .object(parameters)], "user": ["id": "u1"],
        ]
        return StillTurn.stored(.intentRequested, data, on: .requests, partition: partition)
    }

    /// An interaction that is to be handled.
    private static func confirmed(_ parameters: JSONObject = [:]) -> StoredRecord {
        let data: JSONValue = ["interaction": Self.interaction(parameters).json, "user": ["id": "u1"]]
        return StillTurn.stored(.intentConfirmed, data, on: .confirmed)
    }

    // MARK: Begun

    @Test("begun → without an interaction: forwarded to its home partition, unchanged, with nothing read")
    func forwardsToHomePartition() async throws {
        let home = HomePartition.of(user: "u1", count: 4)
        let elsewhere = Self.request(partition: (home + 1) % 4)
        let result = try #require(try await StillTurn.run(elsewhere, in: .resolve, partitions: 4))
        #expect(result.record.outcome == .forwarded)
        #expect(result.outputs == [.forward(.requests, partition: home, stage: nil)])
        #expect(result.writes.isEmpty && result.record.before.isEmpty)
    }

    @Test("begun → without an interaction: rejected, with the reason to its sender")
    func rejectsWithReason() async throws {
        let answer = StillTurn.stored(.promptAnswered, ["action": "accept", "user": ["id": "u1"]], on: .requests)
        let result = try #require(try await StillTurn.run(answer, in: .resolve))
        #expect(result.record.outcome == .rejected)
        #expect(result.events == [.eventRejected])
        #expect(result.writes.isEmpty && result.record.interactionID == nil)
    }

    @Test("begun → without an interaction: forwarded to the later stage that asked")
    func forwardsToLaterStage() async throws {
        let data: JSONValue = ["action": "accept", "promptId": "i1/c/1", "user": ["id": "u1"]]
        let answer = StillTurn.stored(.promptAnswered, data, on: .requests)
        let result = try #require(try await StillTurn.run(answer, in: .resolve))
        #expect(result.record.outcome == .forwarded)
        #expect(result.outputs == [.forward(.resolved, partition: 0, stage: nil)])
    }

    @Test("begun → without an interaction: buried, when the record is not an event")
    func buriesUnreadableRecord() async throws {
        let record = LogRecord(
            topicPartition: TopicPartition("intents.requests", 0),
            offset: 7,
            timestamp: 0,
            key: Array("u1".utf8),
            value: Array("{".utf8),
            headers: []
        )
        let result = try #require(try await StillTurn.run(StoredRecord(record, topic: .requests), in: .resolve))
        #expect(result.record.outcome == .deadLettered)
        #expect(result.outputs.contains { $0.topic == .deadLetters })
        #expect(result.writes.isEmpty)
    }

    // MARK: Ended before it is handled again

    /// Why a turn that was run before ends its interaction now, without its handler.
    enum Overdue: String, CaseIterable {
        case unsupportedIntent
        case tooManyAttempts
        case timeout
        case tooOld

        var reason: String { self == .tooOld ? "timeout" : self.rawValue }
    }

    /// Runs the turn of an interaction that has made an effect before, and returns what its terminal response says.
    private static func end(_ why: Overdue, behaviour: Int?) async throws -> JSONValue {
        let ledger = InMemoryLedger()
        _ = try await ledger.perform(EffectKey(request: "0:7", name: "flight", ordinal: 0)) { _ in .null }
        var interaction = Self.interaction(["name": "Ann"])
        switch why {
        case .unsupportedIntent: break
        case .tooManyAttempts: interaction.turns = RuntimeSettings().maxTurns
        case .timeout: interaction.expiresAt = StillTurn.start
        case .tooOld:
            interaction.startedAt = Timestamp(milliseconds: -RuntimeSettings().parkedMaxAge.milliseconds)
        }
        let confirmed = StillTurn.stored(
            .intentConfirmed,
            ["interaction": interaction.json, "user": ["id": "u1"]],
            on: .confirmed
        )
        let result = try #require(
            try await StillTurn.run(
                confirmed,
                in: .handle,
                why == .unsupportedIntent ? [] : [IntentRegistration { GreetHandler() }],
                ledger: ledger,
                behaviour: behaviour
            )
        )
        #expect(result.record.outcome == .ended)
        let isClosed = why != .unsupportedIntent || behaviour == nil
        #expect(ledger.closed == (isClosed ? ["0:7"] : []))
        return try result.data(of: .intentResponded) ?? .null
    }

    @Test(
        "begun → acting → ended: the ledger's effects are named where the handler does not run",
        arguments: Overdue.allCases
    )
    func namesLedgersEffectsWithoutHandler(_ why: Overdue) async throws {
        let data = try await Self.end(why, behaviour: nil)
        #expect(data["endReason"] == .string(why.reason))
        #expect(data["effects"] == ["flight"])
        #expect(data["effectsIncomplete"] == nil)
    }

    @Test("R58: a turn of behaviour 4 names only its own effects, as it did", arguments: Overdue.allCases)
    func behaviour4NamesOwnEffectsOnly(_ why: Overdue) async throws {
        let data = try await Self.end(why, behaviour: 4)
        #expect(data["endReason"] == .string(why.reason))
        #expect(data["effects"] == [])
        #expect(data["effectsIncomplete"] == nil)
    }

    // MARK: Acting

    @Test("begun → acting → prompted: the interaction is kept with its prompt")
    func promptKeepsInteraction() async throws {
        let result = try #require(try await StillTurn.run(Self.request(), in: .resolve))
        #expect(result.record.outcome == .prompted)
        #expect(result.events == [.promptIssued])
        #expect(result.written(.interaction("0:7"), Interaction.self)?.prompt?.kind == .needsValue)
        #expect(result.written(.known("i1"), KnownInteraction.self)?.whereabouts == .here)
    }

    @Test("begun → acting → passed on: the next stage owns it, and only its id is remembered")
    func passesInteractionToNextStage() async throws {
        let result = try #require(try await StillTurn.run(Self.request(["name": "Jeff"]), in: .resolve))
        #expect(result.record.outcome == .passed)
        #expect(result.events == [.intentResolved])
        #expect(result.outputs.map(\.topic) == [.resolved])
        #expect(result.writes[.interaction("0:7")] == .some(nil))
        #expect(result.written(.known("i1"), KnownInteraction.self)?.whereabouts == .passed)
    }

    @Test("begun → acting → sent back: a correction at the confirmation goes back to resolve")
    func correctionReturnsToResolve() async throws {
        let table = StateTable()
        let interaction = Self.interaction(["name": "Jeff"], prompt: .intentConfirmation)
        table.set(.interaction("0:7"), user: "u1", entry: StateEntry(interaction))
        let known = KnownInteraction(interaction, at: StillTurn.start, whereabouts: .here)
        table.set(.known("i1"), user: "u1", entry: StateEntry(known))
        let data: JSONValue = [
            "action": "decline", "corrections": ["name": "Ann"], "promptId": "i1/c/1", "user": ["id": "u1"],
        ]
        let answer = StillTurn.stored(.promptAnswered, data, on: .resolved)
        let registrations = [IntentRegistration { GreetHandler() }]
        let result = try #require(try await StillTurn.run(answer, in: .confirm, registrations, table))
        #expect(result.record.outcome == .returned)
        #expect(result.outputs.map(\.topic) == [.signals])
        #expect(result.writes[.interaction("0:7")] == .some(nil))
        #expect(result.written(.known("i1"), KnownInteraction.self)?.whereabouts == .returned)
    }

    @Test("begun → acting → reported: the app finishes it, and it stays here until the app reports")
    func handedOverInteractionWaitsForApp() async throws {
        var handler = ProbeHandler()
        handler.handle = { _, _ in .init(code: .inProgress) }
        let registrations = [IntentRegistration { handler }]
        var interaction = Self.interaction()
        interaction.intent = IntentSnapshot(name: "ProbeIntent")
        let data: JSONValue = ["interaction": interaction.json, "user": ["id": "u1"]]
        let event = StillTurn.stored(.intentConfirmed, data, on: .confirmed)
        let result = try #require(try await StillTurn.run(event, in: .handle, registrations))
        #expect(result.record.outcome == .reported && result.end == nil)
        #expect(result.events.contains(.intentResponded))
        #expect(result.written(.interaction("0:7"), Interaction.self)?.appDeadline != nil)
    }

    @Test("begun → acting → ended: one terminal response, and only its id is remembered")
    func endedInteractionLeavesItsID() async throws {
        let result = try #require(try await StillTurn.run(Self.confirmed(["name": "Jeff"]), in: .handle))
        #expect(result.record.outcome == .ended && result.end?.reason == .nominal)
        #expect(result.events == [.intentResponded])
        #expect(result.writes[.interaction("0:7")] == .some(nil))
        #expect(result.written(.known("i1"), KnownInteraction.self)?.whereabouts == .ended)
    }

    // MARK: Answers that name an option as it was shown (R71)

    /// The value of the pet after an answer to the question which Bello is meant; nil where it is not settled.
    private static func pet(_ answer: JSONValue, _ handler: VetHandler = VetHandler()) async throws -> JSONValue? {
        let asked = try await VetTurns.ask(["pet": "Bello"], handler)
        let result = try await VetTurns.answer(["value": answer], to: asked, handler)
        let prompt = try #require(try result.data(of: .promptIssued))
        return prompt["parameter"] == "service" ? prompt["intent"]?["parameters"]?["pet"] : nil
    }

    @Test(
        "prompted → acting → settled: words of one option are that option",
        arguments: [("Belly", "p-7"), ("Bello Poodle", "p-9"), ("Bello (Dackel)", "p-7"), ("P-9", "p-9")]
    )
    func displayNamesOneOption(said: String, pet: String) async throws {
        #expect(try await Self.pet(.string(said)) == .string(pet))
    }

    @Test("prompted → acting → prompted: words of several options are a choice among these")
    func displayNamesSeveralOptions() async throws {
        let handler = VetHandler(pets: ["p-1", "p-7", "p-9"])
        let asked = try await VetTurns.ask(["pet": "Bello"], handler)
        let result = try await VetTurns.answer(["value": "bello"], to: asked, handler)
        let prompt = try #require(try result.data(of: .promptIssued))
        #expect(prompt["kind"] == "disambiguation" && prompt["parameter"] == "pet")
        #expect(prompt["options"] == ["p-7", "p-9"])
        #expect(prompt["optionDisplays"]?.array?.map { $0["subtitle"] } == ["Dachshund", "Poodle"])
        #expect(prompt["item"] == "bello" && prompt["again"]?["reason"] == "notAccepted")
        // Fewer options are another question (R24).
        #expect(prompt["attempt"] == "Initial")
        let chosen = try await VetTurns.answer(["value": "2"], to: result, handler)
        #expect(try chosen.data(of: .promptIssued)?["intent"]?["parameters"]?["pet"] == "p-9")
    }

    @Test(
        "prompted → acting → settled: a number is the option at that place",
        arguments: [2, "2", "2.", "#2"] as [JSONValue]
    )
    func positionNamesOption(said: JSONValue) async throws {
        #expect(try await Self.pet(said) == "p-9")
    }

    @Test("prompted → acting → settled: a subtitle of one option is that option", arguments: ["Poodle", "pudel"])
    func subtitleDistinguishesOptions(said: String) async throws {
        #expect(try await Self.pet(.string(said)) == "p-9")
    }

    @Test(
        "begun → acting → settled: a request may call a value of an enumeration by its title or a synonym",
        arguments: ["checkup", "Vorsorge", "Kontrolle", "EXAM", "Once-over"]
    )
    func displayInRequest(said: String) async throws {
        let result = try await VetTurns.ask(["service": .string(said)])
        #expect(result.record.outcome == .passed)
        #expect(try result.data(of: .intentResolved)?["intent"]?["parameters"]?["service"] == "checkup")
        let before = try await VetTurns.ask(["service": .string(said)], behaviour: 5)
        let isTitle = said == "checkup" || said == "Vorsorge"
        #expect(before.record.outcome == (isTitle ? .passed : .prompted))
    }

    @Test("prompted → acting → settled: later dialogs call a chosen value by its title, until it changes")
    func chosenDisplayIsRemembered() async throws {
        let asked = try await VetTurns.ask(["pet": "Bello"])
        for answer in [["choice": 1], ["value": "Pudel"], ["value": "p-9"]] as [JSONObject] {
            let chosen = try await VetTurns.answer(answer, to: asked)
            let interaction = try #require(chosen.written(.interaction("0:7"), Interaction.self))
            #expect(interaction.displays.mapValues(\.title) == ["pet": "Bello"])
            #expect(Interaction(text: interaction.utf8) == interaction)
            var registration = IntentRegistration { VetHandler() }
            registration.dialog = { _, _ in "For {pet}?" }
            let dialog = PromptDialog(
                registration,
                intent: interaction.intent,
                locale: "de",
                chosen: interaction.displays
            )
            let prompt = try #require(interaction.prompt)
            #expect(dialog.text(for: prompt) == "For Bello?")
            let corrected = try await VetTurns.answer(["corrections": ["pet": "p-7"]], to: chosen)
            #expect(corrected.written(.interaction("0:7"), Interaction.self)?.displays == [:])
        }
    }

    @Test("A value that was confirmed is called by the title with which it was shown")
    func confirmedDisplayIsRemembered() async throws {
        let handler = VetHandler(pets: ["p-9"])
        let asked = try await VetTurns.ask(["pet": "Bello"], handler)
        let confirmed = try await VetTurns.answer([:], to: asked, handler)
        let interaction = try #require(confirmed.written(.interaction("0:7"), Interaction.self))
        #expect(interaction.displays["pet"]?.subtitle == ["en": "Poodle", "de": "Pudel"])
    }

    @Test("Values of a list are called by the words with which each of them was chosen")
    func displaysOfListAreKeptByIndex() async throws {
        let first = try await VetTurns.ask(["companions": ["Bello", "Bello"]])
        let second = try await VetTurns.answer(["choice": 0], to: first)
        #expect(try second.data(of: .promptIssued)?["index"] == 1)
        let third = try await VetTurns.answer(["value": "Poodle"], to: second)
        let interaction = try #require(third.written(.interaction("0:7"), Interaction.self))
        #expect(interaction.intent.parameters["companions"] == ["p-7", "p-9"])
        #expect(interaction.displays["companions/0"]?.subtitle?.text(locale: "en") == "Dachshund")
        #expect(interaction.displays["companions/1"]?.subtitle?.text(locale: "en") == "Poodle")
    }

    @Test("Setting a list forgets the words of its values, and not those of another parameter")
    func settingListForgetsItsDisplays() {
        var interaction = Self.interaction()
        interaction.displays = ["tags/0": "A", "tags/1": "B", "tag": "C"]
        let tags = ParameterDescription(
            name: "tags",
            typeName: "string",
            isList: true,
            accepts: { $0.string != nil },
            isMissing: \.isNull
        )
        interaction.set(tags, to: ["x"])
        #expect(interaction.displays == ["tag": "C"])
    }

    @Test("R58: a turn of behaviour 5 reads neither numbers nor subtitles", arguments: ["2", "Poodle", "Belly"])
    func behaviour5ReadsValuesOnly(said: String) async throws {
        let asked = try await VetTurns.ask(["pet": "Bello"], behaviour: 5)
        let result = try await VetTurns.answer(["value": .string(said)], to: asked, behaviour: 5)
        #expect(try result.data(of: .promptIssued)?["item"] == .string(said))
    }

    // MARK: Repeated

    /// The state after a request that is not here any more, with a repetition of it that waits to be run.
    private static func withRepetition(_ whereabouts: KnownInteraction.Whereabouts) -> (StateTable, ParkedTurn) {
        let table = StateTable()
        let known = KnownInteraction(Self.interaction(), at: StillTurn.start, whereabouts: whereabouts)
        table.set(.known("i1"), user: "u1", entry: StateEntry(known))
        let data: JSONValue = ["intent": ["name": "GreetIntent"], "user": ["id": "u1"]]
        let parked = ParkedTurn(
            event: StillTurn.stored(.intentRequested, data, on: .requests, offset: 8),
            interactionID: "i1",
            startedAt: StillTurn.start,
            timeoutAt: StillTurn.start
        )
        table.set(.parked, user: "u1", entry: StateEntry(parked))
        return (table, parked)
    }

    @Test("R8, R9: a cancellation beside a repetition that waits concerns the interaction itself, wherever that is")
    func cancellationBesideRepetitionFindsInteraction() async throws {
        let cancellation = StillTurn.stored(.interactionCancelled, ["user": ["id": "u1"]], on: .requests, offset: 9)
        let registrations = [IntentRegistration { GreetHandler() }]
        for (whereabouts, outcome) in [(.passed, .forwarded), (.ended, .rejected)]
            as [(KnownInteraction.Whereabouts, TurnOutcome)]
        {
            let (table, _) = Self.withRepetition(whereabouts)
            let result = try #require(try await StillTurn.run(cancellation, in: .resolve, registrations, table))
            #expect(result.record.outcome == outcome)
            #expect(!result.events.contains(.intentResponded))
            #expect(result.writes[.parked] == nil && !result.endsParked)
        }
    }

    @Test("R8, R9: a repetition that waits for long ends nothing, and continues to wait")
    func waitingRepetitionEndsNothing() async throws {
        let (table, parked) = Self.withRepetition(.ended)
        let data: JSONValue = [
            "attempt": 1, "deadline": .string("\(parked.timeoutAt)"), "position": .string("\(parked.event.position)"),
            "user": ["id": "u1"], "what": "timeout",
        ]
        let timer = StillTurn.stored(.timerFired, data, on: .signals, offset: 9)
        let registrations = [IntentRegistration { GreetHandler() }]
        let now = StillTurn.start + 70_000
        let result = try #require(try await StillTurn.run(timer, in: .resolve, registrations, table, at: now))
        #expect(result.record.outcome == .parked && result.end == nil)
        #expect(result.outputs.isEmpty && !result.endsParked)
        let waiting = try #require(result.written(.parked, ParkedTurn.self))
        #expect(waiting.event == parked.event)
        #expect(waiting.timeoutAt == now + RuntimeSettings().handlerTimeout.milliseconds)
    }

    // MARK: Failures

    @Test("acting → failed with a transient error → retried later: nothing else is written (R35)")
    func transientErrorIsRetriedLater() async throws {
        let registrations = [IntentRegistration { FailingHandler() }]
        let result = try #require(
            try await StillTurn.run(Self.confirmed(["name": "passes"]), in: .handle, registrations)
        )
        #expect(result.record.outcome == .parked)
        #expect(result.retryAt.map { $0 > StillTurn.start } ?? false)
        #expect(result.writes.isEmpty && result.outputs.isEmpty && result.end == nil)
    }

    @Test("acting → failed for good → ended with error, and its event becomes a dead letter (R35)")
    func permanentErrorEndsAndBuries() async throws {
        let registrations = [IntentRegistration { FailingHandler() }]
        let result = try #require(
            try await StillTurn.run(Self.confirmed(["name": "stays"]), in: .handle, registrations)
        )
        #expect(result.record.outcome == .ended && result.end?.reason == .error)
        #expect(result.retryAt == nil && result.failure?.isFinal == true)
        #expect(result.outputs.map(\.topic).contains(.responses))
        #expect(result.outputs.contains { if case .deadLetter("handlerFailed", _) = $0 { true } else { false } })
        #expect(result.written(.known("i1"), KnownInteraction.self)?.whereabouts == .ended)
    }

    /// Reads a text of that size from outside.
    private struct CuriousHandler: IntentHandler {
        let count: Int

        var handling: Handling<GreetIntent> {
            Handle { intent, context in
                _ = try await context.run("look") { String(repeating: "x", count: self.count) }
                return self.greeting(intent)
            }
        }
    }

    @Test("acting → larger than the topics' limit → ended with error, without its reads (R47)")
    func oversizeTurnEndsWithoutReads() async throws {
        let registrations = [IntentRegistration { CuriousHandler(count: RecordLimits.value) }]
        let result = try #require(try await StillTurn.run(Self.confirmed(["name": "Jeff"]), in: .handle, registrations))
        #expect(result.record.outcome == .ended && result.end?.reason == .error)
        #expect(result.record.isTruncated && result.record.reads.isEmpty)
        #expect(result.record.intentName == "GreetIntent" && result.fits)
        let response = try #require(try result.data(of: .intentResponded))
        #expect(response["intent"]?["parameters"] == ["name": "Jeff"])
    }

    @Test("acting → larger than the topics' limit → ended with error, without its values either (R47)")
    func oversizeTurnEndsWithoutValues() async throws {
        let name = String(repeating: "x", count: RecordLimits.value)
        let result = try #require(try await StillTurn.run(Self.confirmed(["name": .string(name)]), in: .handle))
        #expect(result.record.outcome == .ended && result.end?.reason == .error)
        #expect(result.record.isTruncated && result.fits)
        let response = try #require(try result.data(of: .intentResponded))
        #expect(response["intent"]?["parameters"] == [:])
    }

    // MARK: Nothing

    /// Says that it has begun, then makes an effect when the gate is open.
    private struct PayingHandler: IntentHandler {
        let begun: Gate
        let gate: Gate

        var handling: Handling<GreetIntent> {
            Handle { intent, context in
                self.begun.open()
                await self.gate.wait()
                _ = try await context.effect("pay") { _ in "paid" }
                return self.greeting(intent)
            }
        }
    }

    @Test("acting → nothing, when another turn has closed its ledger")
    func turnOfClosedLedgerHasNoResult() async throws {
        let gate = Gate()
        gate.open()
        let ledger = InMemoryLedger()
        _ = try await ledger.close(request: "0:7", unlessEffects: false)
        let registrations = [IntentRegistration { PayingHandler(begun: Gate(), gate: gate) }]
        let result = try await StillTurn.run(Self.confirmed(), in: .handle, registrations, ledger: ledger)
        #expect(result == nil)
        #expect(ledger.made.isEmpty)
    }

    @Test("acting → nothing, when it is cancelled")
    func cancelledTurnHasNoResult() async throws {
        let (begun, gate) = (Gate(), Gate())
        let registrations = [IntentRegistration { PayingHandler(begun: begun, gate: gate) }]
        // Without a ledger the effect fails; a turn that is cancelled meanwhile reports nothing.
        let turn = Task { try await StillTurn.run(Self.confirmed(), in: .handle, registrations) }
        await begun.wait()
        turn.cancel()
        gate.open()
        #expect(try await turn.value == nil)
    }
}
