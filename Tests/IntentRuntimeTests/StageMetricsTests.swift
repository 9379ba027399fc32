import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import PrometheusMetrics
import Testing

@Suite("What a stage's lanes measure")
struct StageMetricsTests {
    /// Says which entry of which vocabulary a name means.
    private struct NameHandler: IntentHandler {
        var handling: Handling<GreetIntent> { Handle(self.handle) }

        func handle(intent: GreetIntent, context: TurnContext) async throws -> IntentResponse<GreetIntent> {
            for name in ["Sparks", "All", "nobody"] {
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

    /// Waits until the metrics have these lines.
    private static func wait(for lines: [String], in registry: PrometheusRegistry, _ pipeline: Pipeline) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            pipeline.tellHandlers()
            let text = registry.text()
            let missing = lines.filter { !text.contains($0 + "\n") }
            if missing.isEmpty { return }
            try #require(.now < deadline, "\(missing) is not in \(text)")
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private static func active(_ running: Int, _ parked: Int) -> [String] {
        [("parked", parked), ("running", running)]
            .map { #"intentd_handler_active{intent="GreetIntent",stage="handle",state="\#($0)"} \#($1)"# }
    }

    @Test("Each metric has a place of its own: handles are kept in the order of the names")
    func places() {
        #expect(StageMetrics.StaticName.allCases.map(\.place) == Array(StageMetrics.StaticName.allCases.indices))
    }

    @Test("A call of a handler is in flight until it ends, parked or not")
    func handlers() async throws {
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
    func parkedHandlers() async throws {
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

    @Test("The duration of an interaction is that from its request to its end, in seconds, by intent")
    func interactionDuration() async throws {
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

    @Test("Vocabularies' answers are counted by what was asked and who knew, once a turn; entries of state are counted")
    func vocabularies() async throws {
        let registry = PrometheusRegistry()
        let registrations = [IntentRegistration(usesLedger: false) { NameHandler() }]
        try await Pipeline.with(
            registrations,
            settings: .unhurried,
            vocabularies: Self.shared,
            partitions: 1,
            metrics: registry
        ) { pipeline in
            let strings: JSONValue = [["spokenPhrase": "Sparks", "vocabularyIdentifier": "celestra"]]
            let data: JSONValue = ["user": ["id": "u1"], "type": "contactName", "strings": strings]
            try await pipeline.send(.vocabularyReplaced, data: data)
            try await pipeline.settle()
            try await pipeline.request("GreetIntent", ["name": "x"], subject: "i1")
            _ = try await pipeline.end(of: "i1")
            let counts = [
                ("list", "none", 1), ("list", "user", 1), ("words", "global", 1), ("words", "none", 1),
                ("words", "user", 1),
            ]
            let lines = counts.map { kind, result, count in
                #"intentd_vocabulary_answers_total{kind="\#(kind)",result="\#(result)",stage="handle"} \#(count)"#
            }
            // The vocabulary, and the interaction that is known to have ended.
            let entries = #"intentd_state_entries{lane="worker-0",stage="handle"} 2"#
            try await Self.wait(for: lines + [entries], in: registry, pipeline)
        }
    }
}
