import IntentKit

/// What the practice asks the day after an appointment.
struct AskHowItWent: Intent {
    @Parameter var pet: String?
    @Parameter(prompt: ["en": "How did it go?", "de": "Wie war es?"], isRequired: true) var answer: String?
}

/// Notes the answer.
struct AskHowItWentHandler: IntentHandler {
    var handling: Handling<AskHowItWent> {
        Handle { intent, context in
            let (user, pet, answer) = (context.user.id, intent.pet ?? "", intent.answer ?? "")
            try await context.effect("note") { try Practice($0).note(answer, about: pet, of: user) }
            return IntentResponse(code: .success).saying(["en": "Thank you.", "de": "Danke."])
        }
    }
}
