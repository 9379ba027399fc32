import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@Suite("SiriKit's behaviours: resolving")
struct ResolvingTests {
    @Test("A parameter is resolved again until it succeeds (behaviour 13)")
    func resolvesUntilSuccess() async throws {
        let log = CallLog()
        let registration = IntentRegistration {
            var handler = ProbeHandler(log: log)
            handler.resolve = { parameter, value in
                guard parameter == "first" else { return .notRequired() }
                guard let value else { return .needsValue() }
                return value == "right" ? .success(with: value) : .unsupported()
            }
            return handler
        }
        try await Pipeline.with([registration]) { pipeline in
            try await pipeline.request("ProbeIntent", subject: "i1")
            for answer in ["wrong", "still wrong", "right"] {
                try await pipeline.answer(try await pipeline.next(of: "i1"), ["value": .string(answer)])
            }
            #expect(try await pipeline.next(of: "i1").data["status"] == "success")
            let asked = log.all.filter { $0.hasPrefix("resolve first") }.map { $0.dropFirst("resolve first ".count) }
            #expect(asked == ["-", "wrong", "still wrong", "right"])
        }
    }

    @Test("notRequired settles a parameter without a value (behaviours 13 and 16)")
    func notRequiredSettlesParameter() async throws {
        let registration = IntentRegistration {
            var handler = ProbeHandler()
            handler.resolve = { parameter, value in
                if parameter == "second" { return .success(with: "kept") }
                return value == "none" ? .notRequired() : .needsValue()
            }
            return handler
        }
        try await Pipeline.with([registration]) { pipeline in
            try await pipeline.request("ProbeIntent", subject: "i1")
            try await pipeline.answer(try await pipeline.next(of: "i1"), ["value": "none"])
            let response = try await pipeline.next(of: "i1")
            #expect(response.data["status"] == "success")
            #expect(response.data["intent"]?["parameters"] == ["second": "kept"])
        }
    }

    /// An outcome that asks the user something.
    struct Asking: Sendable, CustomTestStringConvertible {
        var kind: String
        var outcome: INStringResolutionResult
        var answer: JSONObject
        var expected: String

        var testDescription: String { self.kind }
    }

    @Test(
        "Any other outcome asks the user, and the answer goes through the resolver (behaviours 14 and 33)",
        arguments: [
            Asking(kind: "needsValue", outcome: .needsValue(), answer: ["value": "new"], expected: "new"),
            Asking(
                kind: "disambiguation",
                outcome: .disambiguation(with: ["x", "y"]),
                answer: ["choice": 1],
                expected: "y"
            ),
            Asking(
                kind: "confirmationRequired",
                outcome: .confirmationRequired(with: "x"),
                answer: ["action": "decline", "corrections": ["first": "new"]],
                expected: "new"
            ),
            Asking(kind: "unsupported", outcome: .unsupported(), answer: ["value": "new"], expected: "new"),
        ]
    )
    func otherOutcomesAskUser(_ asking: Asking) async throws {
        let log = CallLog()
        let registration = IntentRegistration {
            var handler = ProbeHandler(log: log)
            handler.resolve = { parameter, value in
                guard parameter == "first" else { return .notRequired() }
                return value == "old" ? asking.outcome : .success(with: value ?? "")
            }
            return handler
        }
        try await Pipeline.with([registration]) { pipeline in
            try await pipeline.request("ProbeIntent", ["first": "old"], subject: "i1")
            let prompt = try await pipeline.next(of: "i1")
            #expect(prompt.data["kind"] == .string(asking.kind))
            #expect(prompt.data["parameter"] == "first")
            try await pipeline.answer(prompt, asking.answer)
            let response = try await pipeline.next(of: "i1")
            #expect(response.data["intent"]?["parameters"]?["first"] == .string(asking.expected))
            #expect(
                log.all.filter { $0.hasPrefix("resolve first") } == [
                    "resolve first old", "resolve first \(asking.expected)",
                ]
            )
        }
    }

    @Test("The resolver's value counts, not what was said (behaviour 15)")
    func resolversValueReplacesWhatWasSaid() async throws {
        let registration = IntentRegistration {
            var handler = ProbeHandler()
            handler.resolve = { parameter, value in
                parameter == "first" ? .success(with: value == "the usual" ? "Celestra" : "nobody") : .notRequired()
            }
            handler.handle = { intent, _ in .init(code: .success, details: ["first": .string(intent.first ?? "")]) }
            return handler
        }
        try await Pipeline.with([registration]) { pipeline in
            try await pipeline.request("ProbeIntent", ["first": "the usual"], subject: "i1")
            let response = try await pipeline.next(of: "i1")
            #expect(response.data["intent"]?["parameters"] == ["first": "Celestra"])
            #expect(response.data["response"] == ["first": "Celestra"])
        }
    }

    @Test("A yes to the value that the resolver chose settles it without asking the resolver again (behaviour 18)")
    func yesToChosenValueSettlesIt() async throws {
        let log = CallLog()
        let registration = IntentRegistration {
            var handler = ProbeHandler(log: log)
            handler.resolve = { parameter, _ in
                parameter == "first" ? .confirmationRequired(with: "chosen") : .notRequired()
            }
            return handler
        }
        try await Pipeline.with([registration]) { pipeline in
            try await pipeline.request("ProbeIntent", ["first": "said"], subject: "i1")
            let prompt = try await pipeline.next(of: "i1")
            #expect(prompt.data["kind"] == "confirmationRequired")
            #expect(prompt.data["item"] == "chosen")
            try await pipeline.answer(prompt, ["action": "accept"])
            let response = try await pipeline.next(of: "i1")
            #expect(response.data["endReason"] == "nominal")
            #expect(response.data["intent"]?["parameters"]?["first"] == "chosen")
            #expect(log.all.filter { $0.hasPrefix("resolve first") } == ["resolve first said"])
        }
    }

    /// An intent with a list.
    private struct GuestsIntent: Intent {
        @Parameter var guests: [String]?
    }

    /// Recognises people by a title, and adds a guest of its own when nobody is named.
    private struct GuestsHandler: IntentHandler {
        var handling: Handling<GuestsIntent> {
            Resolve(\.$guests) { said, _ in
                guard let said else { return [.success(with: "Celestra")] }
                return said.map { name in
                    name == "somebody" ? .disambiguation(with: ["Ann", "Bob"]) : .success(with: "Ms \(name)")
                }
            }
            Handle { _, _ in IntentResponse(code: .success) }
        }
    }

    @Test("The results for a list are in the order of its values (behaviour 24)")
    func resultsOfListKeepOrder() async throws {
        try await Pipeline.with([IntentRegistration { GuestsHandler() }]) { pipeline in
            let guests: JSONValue = ["Diana", "somebody", "Scott"]
            try await pipeline.request("GuestsIntent", ["guests": guests], subject: "i1")
            let prompt = try await pipeline.next(of: "i1")
            #expect(prompt.data["kind"] == "disambiguation")
            #expect(prompt.data["index"] == 1)
            #expect(prompt.data["item"] == "somebody")
            #expect(prompt.data["intent"]?["parameters"]?["guests"] == ["Ms Diana", "somebody", "Ms Scott"])
        }
    }

    @Test("Without a name, a single result is suggested for the whole list (behaviours 15 and 36)")
    func guessesWholeListWhenNobodyIsNamed() async throws {
        try await Pipeline.with([IntentRegistration { GuestsHandler() }]) { pipeline in
            try await pipeline.request("GuestsIntent", subject: "i1")
            let response = try await pipeline.next(of: "i1")
            #expect(response.data["endReason"] == "nominal")
            #expect(response.data["intent"]?["parameters"]?["guests"] == ["Celestra"])
        }
    }

    /// Accepts what was said.
    private struct EchoHandler: IntentHandler {
        var handling: Handling<GreetIntent> {
            Resolve(\.$name) { said, _ in said.map { .success(with: $0) } ?? .needsValue() }
            Handle(self.handle)
        }

        func handle(intent: GreetIntent, context: TurnContext) async throws -> IntentResponse<GreetIntent> {
            self.greeting(intent)
        }
    }

    @Test("A resolver gets what was said: nothing if it was left out or is only spaces (behaviour 38)")
    func resolverGetsWhatWasSaid() async throws {
        try await Pipeline.with([IntentRegistration { EchoHandler() }]) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "  "], subject: "i1")
            let prompt = try await pipeline.next(of: "i1")
            #expect(prompt.data["kind"] == "needsValue")
            try await pipeline.answer(prompt, ["value": "Celestra"])
            #expect(try await pipeline.next(of: "i1").data["response"]?["greeting"] == "Hello, Celestra")
        }
    }
}
