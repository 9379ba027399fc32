import Foundation
import IntentKit
import IntentTesting
import Testing

@Suite("R72: conversations that go back to a question", .timeLimit(.minutes(1)))
struct WayBackTests {
    private struct BookSlot: Intent {
        @Parameter(isRequired: true) var time: String?
    }

    /// 9:00 is gone when it is confirmed, and 10:00 when it is booked.
    private struct BookSlotHandler: IntentHandler {
        static let slots = ["9:00", "10:00", "11:00", "12:00"]

        var handling: Handling<BookSlot> {
            Resolve(\.$time) { said, context in
                if let said, Self.slots.contains(said) { return .success(with: said) }
                let declined = context.declined(\BookSlot.$time)
                let others = Self.slots.filter { !declined.contains($0) }
                guard !others.isEmpty else {
                    let app = UserActivity(title: "All slots")
                    return .ending(IntentResponse<BookSlot>(code: .failureRequiringAppLaunch, userActivity: app))
                }
                return .disambiguation(with: Array(others.prefix(2)))
            }
            Confirm { intent, _ in
                guard intent.time == "9:00" else { return IntentResponse(code: .ready) }
                return .asking(\.$time, .disambiguation(with: ["10:00", "11:00"]).saying("That slot has just gone."))
            }
            Handle { intent, context in
                if intent.time == "10:00" { return .asking(\.$time, .unsupported()) }
                try await context.effect("book") { _ in }
                return IntentResponse(code: .success)
            }
        }
    }

    private static let slots = IntentExtension("Slots") { [IntentRegistration { BookSlotHandler() }] }

    @Test("Confirm and handle ask again, and the slot that is free in the end is booked once")
    func confirmAndHandleAskAgain() async throws {
        try await TestDeployment.with(Self.slots) { slots in
            let booking = try await slots.ask("BookSlot", ["time": "9:00"])
            let gone = try await booking.prompt(.disambiguation, of: "time")
            #expect(gone.askedBy == "confirm" && gone.options == ["10:00", "11:00"])
            #expect(gone.dialog == "That slot has just gone.")
            try await booking.choose("10:00")
            #expect(try await booking.prompt(.unsupported, of: "time").askedBy == "handle")
            try await booking.answer("11:00")
            let response = try await booking.response()
            #expect(response.code == "success" && response.effects == ["book"])
            #expect(response.parameters == ["time": "11:00"])
            #expect(try await slots.replay() > 5)
        }
    }

    @Test("A resolver offers others after a decline, and ends the interaction when there are none left")
    func resolverOffersOthersThenEnds() async throws {
        try await TestDeployment.with(Self.slots) { slots in
            let booking = try await slots.ask("BookSlot", ["time": "soon"])
            for options in [["9:00", "10:00"], ["11:00", "12:00"]] as [[JSONValue]] {
                let offer = try await booking.prompt(.disambiguation, of: "time")
                #expect(offer.options == options && offer.askedBy == nil)
                try await booking.decline()
            }
            let response = try await booking.response()
            #expect(response.code == "failureRequiringAppLaunch" && response.endReason == "failed")
            #expect(try await slots.replay() > 2)
        }
    }

    @Test("A scenario goes back like any conversation: the user picks what is offered")
    func scenarioGoesBack() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "way-back-\(UUID().uuidString).jsonl")
        defer { try? FileManager.default.removeItem(at: file) }
        let line = """
            {"name":"gone","user":"ann","intent":{"name":"BookSlot","parameters":{"time":"9:00"}},\
            "choices":{"time":"10:00"},"answers":{"time":"12:00"},"expect":{"code":"success","effects":["book"],\
            "parameters":{"time":"12:00"},"prompts":["disambiguation:time","unsupported:time"]}}
            """
        try line.write(to: file, atomically: true, encoding: .utf8)
        try await TestDeployment.with(Self.slots) { try await $0.play(scenarios: file) }
    }
}
