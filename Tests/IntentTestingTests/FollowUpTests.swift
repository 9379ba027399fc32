import Foundation
import IntentKit
import IntentTesting
import Testing

@Suite("Testing what follows from a task, and conversations that are set aside", .timeLimit(.minutes(1)))
struct FollowUpTests {
    private struct BookVet: Intent {
        @Parameter(prompt: "Which pet?", isRequired: true) var pet: String?
    }

    private struct BookTaxi: Intent {
        @Parameter(prompt: "Where to?", isRequired: true) var destination: String?
        @Parameter(prompt: "When?", isRequired: true) var time: String?
    }

    private struct VetHandler: IntentHandler {
        var handling: Handling<BookVet> {
            Handle { intent, context in
                var taxi = BookTaxi()
                taxi.destination = "Clinic"
                try context.start("taxi", taxi, saying: "About the way to the vet:")
                let tomorrow = context.now.addingTimeInterval(86_400)
                try context.start("again", BookVet(), at: tomorrow)
                try context.start("ask Ada", taxi, for: "ada")
                try context.notify("card", saying: "Bring the card.", details: ["pet": .string(intent.pet ?? "")])
                return IntentResponse(code: .success)
            }
        }
    }

    private struct TaxiHandler: IntentHandler {
        var handling: Handling<BookTaxi> {
            Handle { intent, context in
                IntentResponse(code: .success, details: ["from": .string(context.followsFrom?.interactionID ?? "-")])
            }
        }
    }

    private static let extensions = IntentExtension("Vet") {
        IntentRegistration(confirmation: .never) { VetHandler() }
        IntentRegistration(confirmation: .never) { TaxiHandler() }
    }

    @Test("A follow-up is a separate conversation: now, later, and for another user")
    func followUps() async throws {
        try await TestDeployment.with(Self.extensions) { vet in
            let first = try await vet.ask("BookVet", ["pet": "Bello"])
            try await first.response()
            let notification = try await first.next()
            #expect(notification == .notification(name: "card", dialog: "Bring the card.", details: ["pet": "Bello"]))
            let taxi = try await vet.followUp("taxi", of: first)
            let when = try await taxi.prompt(.needsValue, of: "time")
            #expect(when.dialog == "About the way to the vet: When?")
            try await taxi.answer("9")
            #expect(try await taxi.response().details["from"] == .string(first.interactionID))
            let ada = try await vet.followUp("ask Ada", of: first)
            #expect(ada.userID == "ada")
            try await ada.prompt(.needsValue, of: "time")
            try await ada.answer("10")
            try await ada.prompt(.intentConfirmation)
            try await ada.accept()
            #expect(try await ada.response().details["from"] == "-")
            let again = try await vet.followUp("again", of: first)
            vet.clock.advance(by: .seconds(86_400))
            try await again.prompt(.needsValue, of: "pet")
            await #expect(throws: TestError.self) { try await vet.followUp("nothing", of: first) }
        }
    }

    @Test("A conversation that was set aside comes back")
    func setsAside() async throws {
        try await TestDeployment.with(Self.extensions) { vet in
            let first = try await vet.ask("BookVet")
            try await first.prompt(.needsValue, of: "pet")
            let other = try await vet.ask("BookTaxi", ["destination": "Home", "time": "9"], settingAside: first)
            #expect(try await other.response().next == first.interactionID)
            let again = try await first.prompt(.needsValue, of: "pet")
            #expect(again.isInFront)
            try await first.answer("Bello")
            #expect(try await first.response().code == "success")
            await #expect(throws: TestError.self) {
                try await vet.ask("BookTaxi", settingAside: first)
            }
        }
    }
}
