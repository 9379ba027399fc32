import IntentEvents
import IntentKit
import IntentRuntime
import Testing

@Suite("What SiriKit says of resolving")
struct ResolvingTests {
    @Test("A parameter is resolved again until it is a success (behaviour 13)")
    func untilSuccess() async throws {
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

    @Test("notRequired settles a parameter too, without a value (behaviour 13)")
    func untilNotRequired() async throws {
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
        "Any other outcome asks the user, and the answer goes through the resolver (behaviour 14)",
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
    func asks(_ asking: Asking) async throws {
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
}
