import Foundation
import IntentKit
import IntentTesting
import Testing
import Vet

@Suite("Booking an appointment", .timeLimit(.minutes(1)))
struct BookVetAppointmentTests {
    private static let berlin = TimeZone(identifier: "Europe/Berlin") ?? .gmt

    /// Runs the body in a practice that knows the pets of some users, on a Monday at ten in Berlin.
    private static func inPractice(_ body: @Sendable (TestDeployment) async throws -> Void) async throws {
        try await TestDeployment.with(.vet) { practice in
            try await practice.store.addDemoData(of: .vet, for: "anna", "ben")
            try await body(practice)
            try await practice.replay()
        }
    }

    @Test("An appointment is booked in German, and the next day the practice asks how it went")
    func booksInGermanAndAsksTheNextDay() async throws {
        try await Self.inPractice { practice in
            let booking = try await practice.ask(
                "BookVetAppointment",
                ["service": "Zahnreinigung", "symptoms": ["frisst nicht"], "time": "morgen um 9:30"],
                locale: "de-DE",
                timeZone: Self.berlin
            )
            let pets = try await booking.prompt(.disambiguation, of: "pet")
            #expect(pets.optionTitles == ["Bello", "Bello", "Minka"])
            try await booking.choose("Poodle")
            let question = try await booking.prompt(.intentConfirmation)
            #expect(question.dialog == "Zahnreinigung für Bello am 2026-01-06 um 09:30 bei Dr. Lee, 95 EUR?")
            #expect(question.details["price"] == 95)
            try await booking.accept()
            let response = try await booking.response()
            #expect(response.code == "success" && response.effects == ["book"])
            #expect(response.data["dialog"] == "Bis dann.")
            #expect(response.userActivity?["title"] == "Ihr Termin")
            #expect(response.parameters["pet"]?["identifier"] == "p-2")
            #expect(response.parameters["symptoms"] == ["notEating"])

            let visit = try await practice.followUp("how it went", of: booking)
            practice.clock.advance(by: .seconds(48 * 3_600))
            #expect(try await visit.prompt(.needsValue, of: "answer").dialog == "Zu Bello beim Tierarzt: Wie war es?")
            try await visit.answer("Alles gut.")
            #expect(try await visit.response().data["dialog"] == "Danke.")
        }
    }

    @Test("A time that is taken leads back to the question for it, with the next free ones")
    func offersOtherTimes() async throws {
        try await Self.inPractice { practice in
            for (user, isFirst) in [("anna", true), ("ben", false)] {
                let booking = try await practice.ask(
                    "BookVetAppointment",
                    ["service": "shot", "pet": "Minka", "time": "tomorrow at 10am"],
                    as: RequestingUser(id: user),
                    timeZone: Self.berlin
                )
                if !isFirst {
                    let other = try await booking.prompt(.disambiguation, of: "time")
                    #expect(other.askedBy == "confirm" && other.dialog == "That is taken. Which of these?")
                    #expect(other.optionTitles == ["10:30", "11:00", "11:30"])
                    try await booking.choose("11:00")
                }
                try await booking.prompt(.intentConfirmation)
                try await booking.accept()
                #expect(try await booking.response().code == "success")
            }
        }
    }

    @Test("Of two users who say yes at the same moment, one gets the time and the other a choice")
    func twoUsersSayYesAtOnce() async throws {
        try await Self.inPractice { practice in
            var bookings: [TestConversation] = []
            for user in ["anna", "ben"] {
                let booking = try await practice.ask(
                    "BookVetAppointment",
                    ["service": "checkup", "pet": "Minka", "time": "2026-01-07T12:00:00+01:00"],
                    as: RequestingUser(id: user)
                )
                try await booking.prompt(.intentConfirmation)
                bookings.append(booking)
            }
            for booking in bookings { try await booking.accept() }
            var (booked, asked) = (0, 0)
            for booking in bookings {
                switch try await booking.next() {
                case .response(let response) where response.code == "success": booked += 1
                case .prompt(let prompt) where prompt.parameter == "time" && prompt.askedBy != nil:
                    asked += 1
                    try await booking.cancel()
                    try await booking.response()
                case let step: Issue.record("\(step)")
                }
            }
            #expect(booked == 1 && asked == 1)
        }
    }

    @Test("A time that is taken while handle runs leads back to the question as well")
    func handleAsksForAnotherTime() async throws {
        let request: JSONObject = [
            "pet": ["identifier": "p-3", "name": "Minka"], "service": "checkup", "time": "2026-01-07T12:00:00+01:00",
        ]
        let first = try TestHandler("BookVetAppointment", of: .vet)
        #expect(try await first.handle(request).code == "success")
        let second = try TestHandler("BookVetAppointment", of: .vet, store: first.store)
        let question = try await second.handle(request).question
        #expect(question?.parameter == "time")
        #expect(try await second.effects() == [])
    }

    @Test("An appointment can be undone for a day, and the practice then does not ask how it went")
    func undoesAppointment() async throws {
        try await Self.inPractice { practice in
            let request: JSONObject = ["service": "checkup", "pet": "Minka", "time": "tomorrow at 10am"]
            let booking = try await practice.ask("BookVetAppointment", request, timeZone: Self.berlin)
            try await booking.prompt(.intentConfirmation)
            try await booking.accept()
            let offer = try await booking.response().data["undo"]
            #expect(offer?["intent"] == "UndoInteraction")
            let undo = try await practice.ask("UndoInteraction", offer?["parameters"]?.object ?? [:], locale: "de-DE")
            #expect(try await undo.prompt(.intentConfirmation).dialog == "„Termin beim Tierarzt“ rückgängig machen?")
            try await undo.accept()
            let undone = try await undo.response()
            #expect(undone.code == "success" && undone.undone == ["book"])
            guard case .statusUpdate(let update) = try await booking.next() else {
                Issue.record("There was no update.")
                return
            }
            #expect(update["started"]?.array?.first?["state"] == "cancelled")
            let other = try await practice.ask(
                "BookVetAppointment",
                request,
                as: RequestingUser(id: "ben"),
                timeZone: Self.berlin
            )
            try await other.prompt(.intentConfirmation)
            try await other.cancel()
            try await other.response()
        }
    }

    @Test("An appointment that is over cannot be undone, even on the day after it was booked")
    func refusesToUndoWhatIsOver() async throws {
        try await Self.inPractice { practice in
            let request: JSONObject = ["service": "checkup", "pet": "Minka", "time": "tomorrow at 9:30am"]
            let booking = try await practice.ask("BookVetAppointment", request, timeZone: Self.berlin)
            try await booking.prompt(.intentConfirmation)
            try await booking.accept()
            try await booking.response()
            practice.clock.advance(by: .seconds(23 * 3_600 + 2_700))
            let undo = try await practice.ask("UndoInteraction")
            try await undo.prompt(.intentConfirmation)
            try await undo.accept()
            let refused = try await undo.response()
            #expect(refused.code == "failureUndoRefused" && refused.data["dialog"] == "The appointment is over.")
        }
    }

    @Test("A time outside of the hours is refused with a reason in the user's language")
    func refusesTimes() async throws {
        try await Self.inPractice { practice in
            let booking = try await practice.ask(
                "BookVetAppointment",
                ["service": "checkup", "pet": "Minka", "time": "morgen um 20 Uhr"],
                locale: "de-DE",
                timeZone: Self.berlin
            )
            let closed = try await booking.prompt(.unsupported, of: "time")
            #expect(closed.dialog.contains("zu jeder halben Stunde von 9 bis 17 Uhr"), "\(closed.dialog)")
            try await booking.answer("2026-06-01T12:00:00+02:00")
            let tooFar = try await booking.prompt(.unsupported, of: "time")
            #expect(tooFar.reason?["name"] == "tooFarAhead")
            try await booking.cancel()
            #expect(try await booking.response().endReason == "abortedByUser")
        }
    }

    @Test("Without pets the app is opened, and in an emergency the practice is called")
    func endsWhereNoAnswerHelps() async throws {
        try await Self.inPractice { practice in
            let zoe = RequestingUser(id: "zoe")
            let noPets = try await practice.ask("BookVetAppointment", ["service": "checkup"], as: zoe)
            let end = try await noPets.response()
            #expect(end.code == "failureNoPets" && end.userActivity?["userInfo"]?["screen"] == "pets")
            let emergency = try await practice.ask(
                "BookVetAppointment",
                ["service": "checkup", "pet": "Minka", "symptoms": ["limping", "breathless"]]
            )
            let call = try await emergency.response()
            #expect(call.code == "failureEmergency" && call.data["dialog"] == "Call us right now.")
            #expect(call.userActivity?["title"] == "+49 30 5550100")
        }
    }
}
