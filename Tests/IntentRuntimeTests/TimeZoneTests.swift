import Foundation
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@Suite("R73a: users have time zones")
struct TimeZoneTests {
    /// Reports the time zone in which it is called.
    private struct ZoneHandler: IntentHandler {
        var handling: Handling<GreetIntent> {
            Resolve(by: self.resolveName, \.$name)
            Handle(self.handle)
        }

        func handle(intent: GreetIntent, context: TurnContext) async throws -> IntentResponse<GreetIntent> {
            let offset = context.timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: 0))
            return IntentResponse(code: .success, details: ["offset": .integer(Int64(offset))])
        }
    }

    private static let registrations = [IntentRegistration(usesLedger: false) { ZoneHandler() }]

    @Test(
        "A handler gets the zone of the request, or the default one",
        arguments: [
            ("Asia/Tokyo", 32_400), (nil, 3_600), ("", 3_600), ("Mars/Olympus", 3_600),
            (String(repeating: "Asia/Tokyo", count: 7), 3_600),
        ] as [(String?, Int64)]
    )
    func zoneOfRequestReachesHandlers(zone: String?, offset: Int64) async throws {
        var settings = RuntimeSettings()
        settings.timeZone = "Europe/Berlin"
        try await Pipeline.with(Self.registrations, settings: settings) { pipeline in
            let extra: JSONObject = zone.map { ["timeZone": .string($0)] } ?? [:]
            try await pipeline.request("GreetIntent", ["name": "Jeff"], subject: "i1", extra: extra)
            #expect(try await pipeline.next(of: "i1").data["response"]?["offset"] == .integer(offset))
            let replayed = try await pipeline.replayAll(Self.registrations, settings: settings)
            #expect(replayed.allSatisfy { $0.isMatch })
        }
    }

    @Test(
        "The zone of an answer applies from then on; an answer without a zone changes nothing",
        arguments: [true, false]
    )
    func zoneOfAnswerCounts(travels: Bool) async throws {
        try await Pipeline.with(Self.registrations) { pipeline in
            try await pipeline.request("GreetIntent", subject: "i1", extra: ["timeZone": "Asia/Tokyo"])
            let prompt = try await pipeline.next(of: "i1")
            var answer: JSONObject = ["value": "Jeff"]
            if travels { answer["timeZone"] = "Europe/Berlin" }
            try await pipeline.answer(prompt, answer)
            let offset: JSONValue = travels ? 3_600 : 32_400
            #expect(try await pipeline.next(of: "i1").data["response"]?["offset"] == offset)
        }
    }
}
