import Foundation
import IntentKit

/// Books an appointment: finds out what is meant, asks for a yes, books it once, and asks the next day how it went.
///
/// For a day the user can undo it.
struct BookVetAppointmentHandler: IntentHandler {
    /// Why a time is not possible.
    enum TimeReason: Int, UnsupportedReason {
        case past = 10
        case tooFarAhead
        case closed

        var title: LocalizedText? {
            switch self {
            case .past: ["en": "that is over", "de": "das ist vorbei"]
            case .tooFarAhead: ["en": "60 days ahead at most", "de": "höchstens 60 Tage im Voraus"]
            case .closed: ["en": "on the half hour from 9 to 5", "de": "zu jeder halben Stunde von 9 bis 17 Uhr"]
            }
        }
    }

    var handling: Handling<BookVetAppointment> {
        Resolve(\.$pet) { said, context in
            let user = context.user.id
            let pets = try await context.read("pets") { try Practice($0).pets(of: user) }
            guard !pets.isEmpty else {
                let title = context.resolve(["en": "Add a pet", "de": "Tier anlegen"])
                let app = UserActivity(title: title, userInfo: ["screen": "pets"])
                return .ending(IntentResponse<BookVetAppointment>(code: .failureNoPets, userActivity: app))
            }
            let meant = pets.filter { $0.isMeant(by: said) }
            return meant.count == 1 ? .success(with: meant[0]) : .disambiguation(with: meant.isEmpty ? pets : meant)
        }

        Resolve(\.$symptoms) { said, context in
            guard let said else { return [.notRequired()] }
            return said.map { symptom in
                guard symptom == .breathless else { return .success(with: symptom) }
                let call = UserActivity(title: "+49 30 5550100", userInfo: ["screen": "call"])
                let emergency = IntentResponse<BookVetAppointment>(code: .failureEmergency, userActivity: call)
                return .ending(emergency.saying(["en": "Call us right now.", "de": "Bitte sofort anrufen."]))
            }
        }

        Resolve(\.$time, reasons: TimeReason.self) { said, context in
            guard let said else { return .needsValue() }
            guard said.date > context.now else { return .unsupported(forReason: .past) }
            let last = context.now.addingTimeInterval(60 * 86_400)
            guard said.date < last else { return .unsupported(forReason: .tooFarAhead) }
            let isOpen = Practice.times(on: said.date).contains(said.date)
            return isOpen ? .success(with: said) : .unsupported(forReason: .closed)
        }

        Confirm { intent, context in
            guard let pet = intent.pet, let service = intent.service, let start = intent.time?.date,
                let time = OffsetDateTime(start, in: context.timeZone)
            else { return IntentResponse(code: .failure) }
            let free = try await context.read("free") { try Practice($0).free(on: start) }
            guard free.contains(start) else { return Self.askForAnotherTime(free, instead: start, context) }
            let doctor = Practice.doctor(at: start)
            let what = context.resolve(service.displayRepresentation?.title ?? "")
            return IntentResponse(
                code: .ready,
                details: ["doctor": .string(doctor), "price": .integer(service.price), "currency": "EUR"],
                requiresUserConfirmation: true
            )
            .saying([
                "en": "\(what) for \(pet.name) on \(time.day) at \(time.clock) with \(doctor), \(service.price) EUR?",
                "de": "\(what) für \(pet.name) am \(time.day) um \(time.clock) bei \(doctor), \(service.price) EUR?",
            ])
        }

        Handle { intent, context in
            guard let pet = intent.pet, let service = intent.service, let start = intent.time?.date else {
                return IntentResponse(code: .failure)
            }
            let user = context.user.id
            let appointment = Appointment(
                id: context.makeIdentifier(),
                pet: pet.name,
                service: service.rawValue,
                start: start
            )
            do {
                try await context.effect("book") { store in
                    try Practice(store).book(appointment, for: user)
                    return appointment
                }
            } catch let error as JournaledError where error.message == "\(TimeTaken())" {
                let free = try await context.read("free") { try Practice($0).free(on: start) }
                return Self.askForAnotherTime(free, instead: start, context)
            }
            var question = AskHowItWent()
            question.pet = pet.name
            try context.start(
                "how it went",
                question,
                at: start.addingTimeInterval(86_400).at(hour: 9, in: context.timeZone),
                saying: ["en": "About \(pet.name) at the vet:", "de": "Zu \(pet.name) beim Tierarzt:"]
            )
            let title = context.resolve(["en": "Your appointment", "de": "Ihr Termin"])
            let activity = UserActivity(title: title, userInfo: ["appointment": .string(appointment.id)])
            return IntentResponse(code: .success, userActivity: activity)
                .saying(["en": "See you then.", "de": "Bis dann."])
        }

        Undo("book", within: .seconds(86_400)) { (appointment: Appointment, intent, context, store) in
            guard context.now < appointment.start else {
                throw UndoRefusal(["en": "The appointment is over.", "de": "Der Termin ist vorbei."])
            }
            try Practice(store).cancel(appointment)
        }
    }

    /// Goes back to the question for the time, with the next free ones of that day.
    private static func askForAnotherTime(
        _ free: [Date],
        instead taken: Date,
        _ context: TurnContext
    ) -> IntentResponse<BookVetAppointment> {
        let next = free.filter { $0 > taken }.prefix(3).compactMap { OffsetDateTime($0, in: context.timeZone) }
        let question = ParameterResolution<OffsetDateTime, NoReason>
            .disambiguation(with: next) { time in
                DisplayRepresentation(
                    title: LocalizedText(time.clock),
                    subtitle: LocalizedText(Practice.doctor(at: time.date))
                )
            }
        return .asking(
            \.$time,
            next.isEmpty
                ? question.saying(["en": "That day is full. When else?", "de": "Der Tag ist voll. Wann sonst?"])
                : question.saying(["en": "That is taken. Which of these?", "de": "Das ist vergeben. Was davon?"])
        )
    }
}
