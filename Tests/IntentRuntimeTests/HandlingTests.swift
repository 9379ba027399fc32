import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@Suite("Declared properties, and the parts of a handler")
struct HandlingTests {
    private struct Booking: Intent {
        @Parameter(prompt: "In which city?", isRequired: true, values: ["New York", "New Orleans", "Berlin"])
        var city: String?
        @Parameter(in: 1...12, default: 2) var people: Int?
        @Parameter(in: 0...100) var ages: [Int]?
        @Parameter var note: String?
    }

    private struct BookingHandler: IntentHandler {
        enum NoteReason: Int, UnsupportedReason { case tooLong = 7 }

        let log: CallLog

        var handling: Handling<Booking> {
            Resolve(\.$city) { said, _ in
                self.log.record("city \(said ?? "-")")
                return said.map { .success(with: $0) } ?? .needsValue()
            }
            Resolve(\.$ages) { said, intent, _ in
                self.log.record("ages \(said ?? []) in \(intent.city ?? "-")")
                return (said ?? []).map { $0 == 13 ? .success(with: 14) : .success(with: $0) }
            }
            Resolve(\.$note, reasons: NoteReason.self) { said, _ in
                guard let said else { return .notRequired() }
                return said.count > 5 ? .unsupported(forReason: .tooLong) : .success(with: said)
            }
            Handle { intent, _ in
                IntentResponse(code: .success, details: ["people": .integer(Int64(intent.people ?? 0))])
            }
        }
    }

    private func run(_ body: (Pipeline, CallLog) async throws -> Void) async throws {
        let log = CallLog()
        try await Pipeline.with([IntentRegistration { BookingHandler(log: log) }]) { try await body($0, log) }
    }

    @Test("A required value is asked for in the property's words, before the resolver; a default is filled in")
    func asksForRequiredValueBeforeResolver() async throws {
        try await self.run { pipeline, log in
            try await pipeline.request("Booking", ["city": "  "], subject: "i1")
            let prompt = try await pipeline.next(of: "i1")
            #expect(prompt.data["kind"] == "needsValue")
            #expect(prompt.data["dialog"] == "In which city?")
            #expect(log.all.isEmpty)
            try await pipeline.answer(prompt, ["value": "berlin"])
            let end = try await pipeline.next(of: "i1")
            #expect(end.data["response"] == ["people": 2])
            #expect(end.data["intent"]?["parameters"] == ["city": "Berlin", "people": 2])
            // The resolver got the value that is meant, once; for a list about which nothing was said, it was called.
            #expect(log.all == ["city Berlin", "ages [] in Berlin"])
        }
    }

    @Test("Values are matched by words, and offered when several match")
    func matchesValuesByWords() async throws {
        try await self.run { pipeline, log in
            try await pipeline.request("Booking", ["city": "new"], subject: "i1")
            let prompt = try await pipeline.next(of: "i1")
            #expect(prompt.data["kind"] == "disambiguation")
            #expect(prompt.data["options"] == ["New York", "New Orleans"])
            try await pipeline.answer(prompt, ["value": "Paris"])
            let refusal = try await pipeline.next(of: "i1")
            #expect(refusal.data["kind"] == "unsupported")
            #expect(refusal.data["reason"]?["name"] == "notAmongValues")
            #expect(log.all.isEmpty)
        }
    }

    @Test("A value outside its range is refused with the reason; the same holds without a resolver")
    func refusesValuesOutsideRange() async throws {
        try await self.run { pipeline, _ in
            try await pipeline.request("Booking", ["city": "Berlin", "people": 13], subject: "i1")
            let first = try await pipeline.next(of: "i1")
            #expect(first.data["parameter"] == "people")
            #expect(first.data["reason"] == ["code": 4, "name": "aboveMaximum"])
            try await pipeline.answer(first, ["value": 0])
            let second = try await pipeline.next(of: "i1")
            #expect(second.data["reason"] == ["code": 3, "name": "belowMinimum"])
            try await pipeline.answer(second, ["value": 12])
            #expect(try await pipeline.next(of: "i1").data["response"] == ["people": 12])
        }
    }

    @Test("Of a list the resolver gets the values within range; the others are asked for again")
    func resolverGetsListValuesInRange() async throws {
        try await self.run { pipeline, log in
            try await pipeline.request("Booking", ["city": "Berlin", "ages": [13, 101, 40]], subject: "i1")
            let prompt = try await pipeline.next(of: "i1")
            #expect(prompt.data["parameter"] == "ages")
            #expect(prompt.data["index"] == 1)
            #expect(prompt.data["reason"]?["name"] == "aboveMaximum")
            #expect(log.all.last == "ages [13, 40] in Berlin")
            try await pipeline.answer(prompt, ["value": 10])
            let end = try await pipeline.next(of: "i1")
            #expect(end.data["intent"]?["parameters"]?["ages"] == [14, 10, 40])
        }
    }

    @Test("A refusal carries the resolver's own reason")
    func refusalCarriesResolversReason() async throws {
        try await self.run { pipeline, _ in
            try await pipeline.request("Booking", ["city": "Berlin", "note": "far too long"], subject: "i1")
            let prompt = try await pipeline.next(of: "i1")
            #expect(prompt.data["parameter"] == "note")
            #expect(prompt.data["reason"] == ["code": 7, "name": "tooLong"])
        }
    }
}
