import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@Suite("Conversations through the three stages")
struct ConversationTests {
    @Test("R18, R19: a missing value is asked for, the answer goes through the resolver, the intent is handled")
    func asksForMissingValueAndHandles() async throws {
        try await Pipeline.with([IntentRegistration { GreetHandler() }]) { pipeline in
            try await pipeline.request("GreetIntent", subject: "i1")
            let prompt = try await pipeline.next(of: "i1")
            #expect(prompt.type == "prompt.issued")
            #expect(prompt.data["kind"] == "needsValue")
            #expect(prompt.data["parameter"] == "name")
            #expect(prompt.data["promptId"] == "i1/r/1")
            #expect(prompt.data["attempt"] == "Initial")
            try await pipeline.answer(prompt, ["value": "Celestra"])
            let response = try await pipeline.next(of: "i1")
            #expect(response.type == "intent.responded")
            #expect(response.data["code"] == "success")
            #expect(response.data["status"] == "success")
            #expect(response.data["endReason"] == "nominal")
            #expect(response.data["phase"] == "handle")
            #expect(response.data["response"]?["greeting"] == "Hello, Celestra")
        }
    }

    @Test("R1: an event in another partition is forwarded to its home first, and answered all the same")
    func forwardsEventToHomePartition() async throws {
        try await Pipeline.with([IntentRegistration { GreetHandler() }]) { pipeline in
            let home = HomePartition.of(user: "u1", count: 4)
            try await pipeline.send(
                .intentRequested,
                subject: "i1",
                partition: (home + 1) % 4,
                data: ["intent": ["name": "GreetIntent", "parameters": ["name": "Jeff"]], "user": ["id": "u1"]]
            )
            let response = try await pipeline.next(of: "i1")
            #expect(response.data["status"] == "success")
        }
    }

    @Test("R15: an unsupported intent ends with unsupportedIntent")
    func unsupportedIntentEnds() async throws {
        try await Pipeline.with([IntentRegistration { GreetHandler() }]) { pipeline in
            try await pipeline.request("NobodyIntent", subject: "i1")
            let response = try await pipeline.next(of: "i1")
            #expect(response.data["endReason"] == "unsupportedIntent")
            #expect(response.data["code"] == .null)
            #expect(response.data["status"] == "failure")
        }
    }

    @Test(
        "R22, R29: with confirmation always, a correction at the confirmation is resolved, and the user is asked again"
    )
    func correctionAtConfirmationIsResolvedAgain() async throws {
        try await Pipeline.with([IntentRegistration(confirmation: .always) { GreetHandler() }]) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "Jeff"], subject: "i1")
            let first = try await pipeline.next(of: "i1")
            #expect(first.data["kind"] == "intentConfirmation")
            try await pipeline.answer(first, ["action": "decline", "corrections": ["name": "Sparkle"]])
            let second = try await pipeline.next(of: "i1")
            #expect(second.data["kind"] == "intentConfirmation")
            #expect(second.data["promptId"] == "i1/c/2")
            #expect(second.data["intent"]?["parameters"]?["name"] == "Sparkle")
            try await pipeline.answer(second, [:])
            let response = try await pipeline.next(of: "i1")
            #expect(response.data["response"]?["greeting"] == "Hello, Sparkle")
            try await pipeline.answer(second, [:])
            let rejection = try await pipeline.next { $0.type == "event.rejected" }
            #expect(rejection.data["reason"] == "duplicate")
            // The answer has no subject: its prompt names the interaction.
            #expect(rejection.subject == "i1")
            #expect(rejection.data["user"] == ["id": "u1"])
        }
    }

    @Test("R5, R32: a slow turn is parked: others continue, the user is told, the result follows (behaviour 51)")
    func parksSlowTurns() async throws {
        var settings = RuntimeSettings()
        settings.inProgressAfter = .milliseconds(50)
        let gate = Gate()
        try await Pipeline.with([IntentRegistration { SlowHandler(gate: gate) }], settings: settings) { pipeline in
            // Whatever the result, no handler is left waiting.
            defer { gate.open() }
            try await pipeline.request("GreetIntent", ["name": "slow"], subject: "slow")
            try await pipeline.request("GreetIntent", ["name": "behind"], subject: "behind")
            let home = HomePartition.of(user: "u1", count: 4)
            let neighbour = (0...).lazy.map { UserID("n\($0)") }.first { HomePartition.of(user: $0, count: 4) == home }!
            try await pipeline.request("GreetIntent", ["name": "quick"], user: neighbour, subject: "quick")
            #expect(try await pipeline.next(of: "quick").data["status"] == "success")
            let notice = try await pipeline.next(of: "slow")
            #expect(notice.data["status"] == "inProgress")
            #expect(notice.data["terminal"] == false)
            gate.open()
            #expect(try await pipeline.next(of: "slow").data["status"] == "success")
            #expect(try await pipeline.next(of: "behind").data["status"] == "success")
        }
    }

    @Test("R34: a user who gives up gets no user activity, unlike with other failures")
    func cancellationHasNoActivity() async throws {
        try await Pipeline.with([IntentRegistration { GreetHandler() }]) { pipeline in
            try await pipeline.request("GreetIntent", subject: "cancelled")
            try await pipeline.answer(try await pipeline.next(of: "cancelled"), ["action": "cancel"])
            #expect(try await pipeline.end(of: "cancelled").data["endReason"] == "abortedByUser")
            try await pipeline.request("NobodyIntent", subject: "unsupported")
            #expect(try await pipeline.end(of: "unsupported").data["endReason"] == "unsupportedIntent")
            let subjects = try await pipeline.records(of: .userActivities)
                .compactMap { $0.header(EventHeaderName.subject) }
            #expect(subjects == ["unsupported"])
        }
    }

    @Test("R5: a cancellation overtakes a parked turn")
    func cancellationOvertakesParkedTurn() async throws {
        let gate = Gate()
        var settings = RuntimeSettings()
        settings.inProgressAfter = .seconds(3600)
        try await Pipeline.with([IntentRegistration { SlowHandler(gate: gate) }], settings: settings) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "slow"], subject: "slow")
            // The turn is parked once its state says so.
            while try await !pipeline.records(of: .state)
                .contains(where: {
                    $0.key.flatMap(StateKey.init)?.name == "parked" && $0.value != nil
                })
            { await Task.yield() }
            try await pipeline.send(.interactionCancelled, subject: "slow", data: ["user": ["id": "u1"]])
            let response = try await pipeline.next(of: "slow")
            #expect(response.data["endReason"] == "abortedByUser")
            gate.open()
            try await pipeline.request("GreetIntent", ["name": "next"], subject: "next")
            #expect(try await pipeline.next(of: "next").data["status"] == "success")
            let terminal = try await pipeline.records(of: .responses)
                .filter {
                    $0.header("ce_subject") == "slow" && $0.header("ce_type") == "intent.responded"
                }
            #expect(terminal.count == 1)
        }
    }

    @Test("R35: a transient error is retried; one that stays ends the interaction with error and makes a dead letter")
    func retriesTransientErrorsThenBuries() async throws {
        try await Pipeline.with([IntentRegistration { FailingHandler() }]) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "passes"], subject: "passes")
            #expect(try await pipeline.end(of: "passes").data["status"] == "success")
            try await pipeline.request("GreetIntent", ["name": "stays"], subject: "stays")
            let response = try await pipeline.end(of: "stays")
            #expect(response.data["endReason"] == "error")
            #expect(response.data["status"] == "failure")
            #expect(try await pipeline.records(of: .deadLetters).count == 1)
        }
    }

    @Test("R24: an open prompt expires")
    func openPromptExpires() async throws {
        var settings = RuntimeSettings()
        settings.promptTimeout = .milliseconds(100)
        try await Pipeline.with([IntentRegistration { GreetHandler() }], settings: settings) { pipeline in
            try await pipeline.request("GreetIntent", subject: "i1")
            let prompt = try await pipeline.next(of: "i1")
            let response = try await pipeline.next(of: "i1")
            #expect(response.data["endReason"] == "timeout")
            try await pipeline.answer(prompt, ["value": "late"])
            #expect(try await pipeline.next(where: { $0.type == "event.rejected" }).data["reason"] == "expired")
        }
    }

    @Test("R47: an event that cannot be decoded becomes a dead letter with unchanged bytes, and the user is told")
    func buriesUndecodableEvents() async throws {
        try await Pipeline.with([IntentRegistration { GreetHandler() }]) { pipeline in
            let home = HomePartition.of(user: "u1", count: 4)
            try await pipeline.write(
                partition: home,
                value: Array("{\"intent\":".utf8),
                headers: [
                    LogHeader("ce_type", "intent.requested"), LogHeader("ce_userid", "u1"),
                    LogHeader("ce_subject", "i1"),
                ]
            )
            let response = try await pipeline.next(of: "i1")
            #expect(response.data["endReason"] == "invalidRequest")
            let letters = try await pipeline.records(of: .deadLetters)
            #expect(letters.count == 1)
            #expect(letters.first?.value == Array("{\"intent\":".utf8))
            #expect(letters.first?.header("intentd_error") == "malformed")
            #expect(letters.first?.header("kafka_dlt-original-topic") == "intents.requests")
        }
    }

    @Test("R26: a restricted intent waits for its device to be unlocked")
    func restrictedIntentWaitsForUnlock() async throws {
        try await Pipeline.with(
            [IntentRegistration { GreetHandler() }],
            restrictedWhileLocked: ["GreetIntent"]
        ) { pipeline in
            try await pipeline.request(
                "GreetIntent",
                ["name": "Jeff"],
                subject: "i1",
                extra: ["device": ["id": "d1", "locked": true]]
            )
            #expect(try await pipeline.next(of: "i1").data["kind"] == "unlockRequired")
            try await pipeline.send(.deviceUnlocked, data: ["user": ["id": "u1"], "device": ["id": "other"]])
            try await pipeline.send(.deviceUnlocked, data: ["user": ["id": "u1"], "device": ["id": "d1"]])
            #expect(try await pipeline.next(of: "i1").data["status"] == "success")
        }
    }

    @Test("R41: every turn is in the journal, chained to the one before it")
    func journalsEveryTurnInAChain() async throws {
        try await Pipeline.with([IntentRegistration { GreetHandler() }], settings: .unhurried) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "Jeff"], subject: "i1")
            _ = try await pipeline.next(of: "i1")
            let journal = try await pipeline.records(of: .journal)
            let turns = try journal.map { record in
                try #require(TurnRecord(record))
            }
            for stage in Stage.allCases {
                var previous = ""
                for (turn, record) in zip(turns, journal) where turn.stage == stage {
                    #expect(turn.previousDigest == previous)
                    previous = RecordDigest.of(record)
                }
            }
            #expect(turns.map(\.stage).sorted() == [.resolve, .confirm, .handle])
            #expect(turns.allSatisfy { $0.request == turns.first?.request && $0.interactionID == "i1" })
        }
    }
}
