import IntentKit

/// What somebody says to a vet: a checkup for Bello, tomorrow at half past nine.
struct BookVetAppointment: Intent {
    enum Code: String, IntentResponseCode { case ready, success, failure, failureNoPets, failureEmergency }

    static let title: LocalizedText? = ["en": "Book a vet appointment", "de": "Termin beim Tierarzt"]

    @Parameter(prompt: ["en": "What is it for?", "de": "Worum geht es?"], isRequired: true) var service: Service?
    @Parameter(title: ["en": "Pet", "de": "Tier"]) var pet: Pet?
    @Parameter(title: ["en": "Symptoms", "de": "Symptome"]) var symptoms: [Symptom]?
    @Parameter(prompt: ["en": "When?", "de": "Wann?"], isRequired: true) var time: OffsetDateTime?
}
