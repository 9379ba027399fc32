import IntentKit

extension IntentExtension {
    /// The practice: appointments, and how they went.
    public static let vet = IntentExtension(
        "Vet",
        migrations: Practice.migrations,
        addDemoData: Practice.addDemoData
    ) {
        IntentRegistration(version: "1") { BookVetAppointmentHandler() }
        IntentRegistration(version: "1", confirmation: .never) { AskHowItWentHandler() }
    }
}
