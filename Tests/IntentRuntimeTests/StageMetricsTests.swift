import IntentEvents
import IntentKit
import IntentLab
import PrometheusMetrics
import Testing

@testable import IntentRuntime

@Suite("What a stage's lanes measure")
struct StageMetricsTests {
    /// Says which entry of which vocabulary a name means.
    private struct NameHandler: IntentHandler {
        var handling: Handling<GreetIntent> { Handle(self.handle) }

        func handle(intent: GreetIntent, context: TurnContext) async throws -> IntentResponse<GreetIntent> {
            for name in ["Sparks", "Stars", "All", "nobody"] {
                // The second time, the turn knows the answer.
                for _ in 0..<2 {
                    _ = context.vocabularyMatches(for: name, type: .contactName, parameter: "GreetIntent.name")
                }
            }
            _ = context.vocabulary(.contactName)
            _ = context.vocabulary(.photoTag)
            return self.greeting(intent)
        }
    }

    private static let shared = GlobalVocabularies([
        GlobalVocabulary(
            locale: "en",
            digest: "d1",
            terms: ["GreetIntent.name": [VocabularyTerm(identifier: "everybody", phrases: [.init("All")])]]
        )
    ])

    /// Waits until the metrics have these lines; the answer that is not expected is those that are missing.
    private static func wait(for lines: [String], in registry: PrometheusRegistry, _ pipeline: Pipeline) async throws {
        try await eventually(\.isEmpty) {
            pipeline.updateHandlerGauges()
            let text = registry.text()
            return lines.filter { !text.contains($0 + "\n") }
        }
    }

    private static func active(_ running: Int, _ parked: Int) -> [String] {
        [("parked", parked), ("running", running)]
            .map { #"intentd_handler_active{intent="GreetIntent",stage="handle",state="\#($0)"} \#($1)"# }
    }

    @Test("A call of a handler is in flight until it ends, parked or not")
    func handlerCallIsInFlightUntilItEnds() async throws {
        let (registry, gate) = (PrometheusRegistry(), Gate())
        let registrations = [IntentRegistration { SlowHandler(gate: gate) }]
        try await Pipeline.with(registrations, settings: .unhurried, metrics: registry) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "slow"], subject: "i1")
            try await Self.wait(for: Self.active(1, 0), in: registry, pipeline)
            gate.open()
            _ = try await pipeline.end(of: "i1")
            try await Self.wait(for: Self.active(0, 0), in: registry, pipeline)
        }
    }

    @Test("A parked turn's call counts as parked")
    func parkedHandlerCallsAreCounted() async throws {
        let (registry, gate) = (PrometheusRegistry(), Gate())
        var settings = RuntimeSettings()
        settings.parkAfter = .zero
        let registrations = [IntentRegistration { SlowHandler(gate: gate) }]
        try await Pipeline.with(registrations, settings: settings, metrics: registry) { pipeline in
            for user in 1...3 {
                try await pipeline.request("GreetIntent", ["name": "slow"], user: "u\(user)", subject: "i\(user)")
            }
            try await Self.wait(for: Self.active(0, 3), in: registry, pipeline)
            gate.open()
            for user in 1...3 { _ = try await pipeline.end(of: "i\(user)") }
            try await Self.wait(for: Self.active(0, 0), in: registry, pipeline)
        }
    }

    @Test("The duration of an interaction is measured from its request to its end, in seconds, by intent")
    func interactionDurationIsFromRequestToEnd() async throws {
        let registry = PrometheusRegistry()
        let registrations = [IntentRegistration(usesLedger: false) { GreetHandler() }]
        try await Pipeline.with(registrations, settings: .unhurried, metrics: registry) { pipeline in
            try await pipeline.request("GreetIntent", subject: "i1")
            let prompt = try await pipeline.next(of: "i1")
            try await pipeline.settle()
            await pipeline.restartWorkers(after: .seconds(90))
            try await pipeline.answer(prompt, ["value": "Celestra"])
            _ = try await pipeline.end(of: "i1")
            let name = #"intentd_interaction_duration_seconds_count{intent="GreetIntent",stage="handle"} 1"#
            try await Self.wait(for: [name], in: registry, pipeline)
            let line = registry.text().split(separator: "\n")
                .first {
                    $0.hasPrefix(#"intentd_interaction_duration_seconds_sum{intent="GreetIntent",stage="handle"}"#)
                }
            let sum = try #require(line?.split(separator: " ").last.flatMap { Double($0) })
            // The machine's own time comes on top of the time that the test lets pass.
            #expect((90..<900).contains(sum), "\(sum)")
        }
    }

    @Test(
        "Vocabulary answers are counted once a turn, by what was asked and which vocabulary knew; state entries are counted"
    )
    func countsVocabularyAnswersAndStateEntries() async throws {
        let registry = PrometheusRegistry()
        let registrations = [IntentRegistration(usesLedger: false) { NameHandler() }]
        try await Pipeline.with(
            registrations,
            settings: .unhurried,
            vocabularies: Self.shared,
            partitions: 1,
            metrics: registry
        ) { pipeline in
            let strings: JSONValue = [
                ["spokenPhrase": "Sparks", "vocabularyIdentifier": "celestra"],
                ["spokenPhrase": "Stars", "vocabularyIdentifier": "diana"],
            ]
            let data: JSONValue = ["user": ["id": "u1"], "type": "contactName", "strings": strings]
            try await pipeline.send(.vocabularyReplaced, data: data)
            try await pipeline.settle()
            try await pipeline.request("GreetIntent", ["name": "x"], subject: "i1")
            _ = try await pipeline.end(of: "i1")
            let counts = [
                ("list", "none", 1), ("list", "user", 1), ("words", "global", 1), ("words", "none", 1),
                ("words", "user", 2),
            ]
            let lines = counts.map { kind, result, count in
                #"intentd_vocabulary_answers_total{kind="\#(kind)",result="\#(result)",stage="handle"} \#(count)"#
            }
            // The vocabulary, and the interaction that is known to have ended.
            let entries = #"intentd_state_entries{lane="worker-0",stage="handle"} 2"#
            try await Self.wait(for: lines + [entries], in: registry, pipeline)
        }
    }

    /// The samples of what the body measures, without the buckets of histograms.
    private static func samples(_ body: (StageMetrics) throws -> Void) throws -> [String] {
        let registry = PrometheusRegistry()
        let intents = try IntentRegistry([IntentExtension("Tests") { [IntentRegistration { GreetHandler() }] }])
        try body(StageMetrics(.handle, registry: intents, factory: registry))
        return registry.text().split(separator: "\n").map(String.init)
            .filter { !$0.hasPrefix("#") && !$0.contains("_bucket{") }
    }

    @Test("What a lane holds, reads, commits and restores has figures of its own, with durations in seconds")
    func figures() throws {
        let topicPartitions = [
            TopicPartition("intents.requests", 0), TopicPartition("intents.requests", 1),
            TopicPartition("intents.signals", 1),
        ]
        let content = RecordContent(key: nil, value: nil)
        let samples = try Self.samples { metrics in
            metrics.set(
                .init(partitions: 1, parked: 2, queued: 3, pauses: 6, held: 7, stateEntries: 4, stateBytes: 5),
                lane: "w-0"
            )
            // Two, three and four records.
            let read = topicPartitions.enumerated()
                .flatMap { index, topicPartition in
                    (0..<index + 2)
                        .map {
                            LogRecord(topicPartition: topicPartition, offset: Int64($0), timestamp: 0, content: content)
                        }
                }
            metrics.consumed(read)
            metrics.consumed([])
            let written = topicPartitions.enumerated()
                .flatMap { index, topicPartition in
                    Array(repeating: OutgoingRecord(topicPartition: topicPartition, content: content), count: index + 1)
                }
            metrics.committed(records: written, after: .milliseconds(250), at: .zero, [TurnTally]())
            metrics.committed(records: [], after: .milliseconds(500), at: .zero, [TurnTally]())
            metrics.aborted()
            metrics.restored(after: .milliseconds(1_500))
        }
        let lane = #"{lane="w-0",stage="handle"}"#
        let stage = #"{stage="handle"}"#
        let requests = #"messaging_destination_name="intents.requests",stage="handle""#
        let signals = #"messaging_destination_name="intents.signals",stage="handle""#
        #expect(
            Set(samples) == [
                "intentd_lane_partitions\(lane) 1", "intentd_turns_parked\(lane) 2", "intentd_events_queued\(lane) 3",
                "intentd_state_entries\(lane) 4", "intentd_state_memory\(lane) 5", "intentd_pauses\(lane) 6",
                "intentd_interactions_held\(lane) 7",
                #"messaging_client_consumed_messages_total{\#(requests)} 5"#,
                #"messaging_client_consumed_messages_total{\#(signals)} 4"#,
                #"messaging_client_sent_messages_total{\#(requests)} 3"#,
                #"messaging_client_sent_messages_total{\#(signals)} 3"#,
                #"intentd_transactions_total{result="committed",stage="handle"} 2"#,
                #"intentd_transactions_total{result="aborted",stage="handle"} 1"#,
                "intentd_transaction_duration_seconds_sum\(stage) 0.75",
                "intentd_transaction_duration_seconds_count\(stage) 2", "intentd_transaction_records_sum\(stage) 6",
                "intentd_transaction_records_count\(stage) 2", "intentd_transaction_partitions_sum\(stage) 3",
                "intentd_transaction_partitions_count\(stage) 2",
                "intentd_state_restore_duration_seconds_sum\(stage) 1.5",
                "intentd_state_restore_duration_seconds_count\(stage) 1",
            ]
        )
    }

    @Test("Failures are counted by whether they are final, and interactions by how they ended")
    func failures() throws {
        struct Hiccup: TransientError {}
        let event = Event(
            id: "e1",
            source: "/tests",
            type: .intentRequested,
            time: Timestamp(milliseconds: 0),
            userID: "u1",
            data: [:]
        )
        func result(isFinal: Bool?, end: InteractionEnd?) -> TurnResult {
            var record = TurnDraft(
                stage: .handle,
                position: RecordPosition(.confirmed, 0, 1),
                eventID: "e1",
                eventType: event.type,
                userID: "u1",
                at: Timestamp(milliseconds: 0),
                attempt: 1,
                worker: "w",
                outcome: end == nil ? .parked : .ended
            )
            record.intentName = "GreetIntent"
            record.request = "0:1"
            record.handlerName = "Greet"
            // The next attempt begins earlier than planned: what counts is when it does.
            if isFinal == false { record.wait = TurnWait(nextAt: record.at + 9_000, attempt: 2, attempts: 8) }
            if isFinal == nil { record.mistakes = [ClientMistake("nmae", .unknownParameter, eventID: "e1")] }
            return TurnResult(
                input: isFinal == true
                    ? TurnInput(
                        event.stored(on: .confirmed),
                        attempt: 2,
                        firstTriedAt: record.at + -8_000,
                        failedAt: record.at + -5_000
                    ) : TurnInput(event.stored(on: .confirmed)),
                record: record,
                failure: isFinal.map { TurnFailure(Hiccup(), isFinal: $0) },
                end: end,
                awaited: isFinal == nil
                    ? InteractionTime(state: .awaitingUser, since: record.at, until: record.at + 7_000) : nil,
                endedAt: .seconds(100),
                duration: 2_000_000_000,
                handlerDuration: 1_000_000_000
            )
        }
        var tally = TurnTally()
        for _ in 0..<3 { tally.add(result(isFinal: false, end: nil)) }
        tally.add(result(isFinal: true, end: .init(code: "failure", reason: .error, duration: 90_000, prompts: 2)))
        tally.add(result(isFinal: nil, end: .init(code: nil, reason: .declined, duration: 10_000, prompts: 3)))
        let samples = try Self.samples { $0.committed(records: [], after: .zero, at: .seconds(101), [tally]) }
        let labels = #"intent="GreetIntent""#
        for line in [
            #"intentd_handler_failures_total{final="false",\#(labels),stage="handle"} 3"#,
            #"intentd_handler_failures_total{final="true",\#(labels),stage="handle"} 1"#,
            #"intentd_interactions_ended_total{code="failure",end_reason="error",\#(labels),stage="handle"} 1"#,
            #"intentd_interactions_ended_total{code="",end_reason="declined",\#(labels),stage="handle"} 1"#,
            #"intentd_interaction_duration_seconds_sum{\#(labels),stage="handle"} 102"#,
            #"intentd_interaction_prompts_sum{\#(labels),stage="handle"} 5"#,
            #"intentd_client_mistakes_total{\#(labels),problem="unknownParameter",stage="handle"} 1"#,
            #"intentd_turns_total{\#(labels),outcome="parked",stage="handle"} 3"#,
            #"intentd_turns_total{\#(labels),outcome="ended",stage="handle"} 2"#,
            #"intentd_turn_duration_seconds_sum{\#(labels),outcome="parked",stage="handle"} 6"#,
            #"intentd_handler_duration_seconds_sum{\#(labels),stage="handle"} 5"#,
            #"intentd_interaction_time_seconds_sum{part="running",stage="handle"} 10"#,
            #"intentd_interaction_time_seconds_sum{part="retrying",stage="handle"} 5"#,
            #"intentd_interaction_time_seconds_sum{part="awaitingUser",stage="handle"} 7"#,
            #"intentd_interaction_time_seconds_sum{part="committing",stage="handle"} 5"#,
            #"intentd_interaction_time_seconds_count{part="queued",stage="handle"} 4"#,
        ] { #expect(samples.contains(line), "\(line) is not in \(samples)") }
    }

    @Test("Of the calls in flight, those of parked turns hold no batch")
    func callsInFlight() throws {
        let calls = HandlerCalls()
        #expect(calls.inFlight == nil)
        for _ in 0..<3 { calls.begin() }
        calls.park()
        #expect(try #require(calls.inFlight) == (2, 1))
        // The parked turn is between two calls.
        for _ in 0..<3 { calls.end() }
        #expect(try #require(calls.inFlight) == (0, 1))
        calls.leave()
        #expect(try #require(calls.inFlight) == (0, 0))
    }
}
