import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

/// What ends a conversation that never settles, and what does not count towards it.
@Suite("R24: bounds of prompts, attempts, turns and ages", .timeLimit(.minutes(1)))
struct PromptBoundsTests {
    /// An intent with a list, of which each value is asked about.
    private struct PackIntent: Intent {
        @Parameter(isRequired: true) var things: [String]?
    }

    /// Values that begin with `x` are unsupported, and those that begin with `?` need a yes.
    private struct PackHandler: IntentHandler {
        var handling: Handling<PackIntent> {
            Resolve(\.$things) { things, _ in
                (things ?? [])
                    .map { thing in
                        switch thing.first {
                        case "x": .unsupported()
                        case "?": .confirmationRequired(with: thing)
                        default: .success(with: thing)
                        }
                    }
            }
            Confirm { _, _ in IntentResponse(code: .ready, requiresUserConfirmation: true) }
            Handle { _, _ in IntentResponse(code: .success) }
        }
    }

    private static let packing = IntentRegistration(confirmation: .byHandler) { PackHandler() }

    @Test("A prompt expires with its interaction at the latest, however often the user is asked")
    func promptExpiresWithInteraction() async throws {
        var settings = RuntimeSettings()
        settings.promptTimeout = .seconds(300)
        settings.maxAge = .seconds(360)
        try await Pipeline.with([Self.packing], settings: settings) { pipeline in
            try await pipeline.request("PackIntent", ["things": ["x1"]], subject: "i1")
            let first = try await pipeline.next(of: "i1")
            let expiry = try #require(first.data["expiresAt"]?.string.flatMap(Timestamp.init))
            pipeline.clock.advance(by: .seconds(240))
            try await pipeline.answer(first, ["value": "x2"])
            let second = try await pipeline.next(of: "i1")
            let later = try #require(second.data["expiresAt"]?.string.flatMap(Timestamp.init))
            // 300 s after the first turn, and then 360 s after it, not 540.
            #expect((55_000...65_000).contains(later - expiry), "\(later - expiry) ms")
        }
    }

    @Test("Attempts are counted for each value of a list by itself, and again from the start after corrections")
    func countsAttemptsByListValue() async throws {
        try await Pipeline.with([Self.packing]) { pipeline in
            try await pipeline.request("PackIntent", ["things": ["x1", "x2"]], subject: "i1")
            var prompt = try await pipeline.next(of: "i1")
            let rounds: [(index: JSONValue, attempt: JSONValue, item: JSONValue, answer: JSONObject)] = [
                (0, "Initial", "x1", ["value": "x3"]), (0, "Retry1", "x3", [:]), (0, "Retry2", "x3", ["value": "a"]),
                (1, "Initial", "x2", ["value": "x4"]), (1, "Retry1", "x4", ["value": "b"]),
            ]
            for round in rounds {
                #expect(prompt.data["kind"] == "unsupported")
                #expect(prompt.data["index"] == round.index)
                #expect(prompt.data["attempt"] == round.attempt)
                #expect(prompt.data["item"] == round.item)
                try await pipeline.answer(prompt, round.answer)
                prompt = try await pipeline.next(of: "i1")
            }
            #expect(prompt.data["kind"] == "intentConfirmation")
            // The user corrects: the value is asked about as if for the first time.
            try await pipeline.answer(prompt, ["action": "decline", "corrections": ["things": ["x1"]]])
            prompt = try await pipeline.next(of: "i1")
            #expect(prompt.data["attempt"] == "Initial")
        }
    }

    @Test("A yes to one value of a list is kept while the others are asked about")
    func keepsYesWhileOtherValuesAreAsked() async throws {
        try await Pipeline.with([Self.packing]) { pipeline in
            try await pipeline.request("PackIntent", ["things": ["?a", "x1", "?b"]], subject: "i1")
            for (index, answer) in [(0, [:]), (1, ["value": "c"]), (2, [:])] as [(JSONValue, JSONObject)] {
                let prompt = try await pipeline.next(of: "i1")
                #expect(prompt.data["index"] == index)
                try await pipeline.answer(prompt, answer)
            }
            let prompt = try await pipeline.next(of: "i1")
            #expect(prompt.data["kind"] == "intentConfirmation")
            #expect(prompt.data["intent"]?["parameters"]?["things"] == ["?a", "c", "?b"])
        }
    }

    @Test("The turn after the last one that an interaction may have ends it")
    func turnLimitEndsInteraction() async throws {
        var settings = RuntimeSettings()
        settings.maxTurns = 3
        settings.promptMaxAttempts = 50
        try await Pipeline.with([Self.packing], settings: settings) { pipeline in
            try await pipeline.request("PackIntent", ["things": ["x1"]], subject: "i1")
            for _ in 0..<3 {
                let prompt = try await pipeline.next(of: "i1")
                #expect(prompt.type == "prompt.issued")
                try await pipeline.answer(prompt, ["value": "x2"])
            }
            #expect(try await pipeline.end(of: "i1").data["endReason"] == "tooManyAttempts")
        }
    }
}
