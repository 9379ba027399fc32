import IntentKit

/// What the practice does, and what people call it.
enum Service: String, EnumerationValue {
    case checkup, vaccination, dentalCleaning

    var displayRepresentation: DisplayRepresentation? {
        switch self {
        case .checkup:
            DisplayRepresentation(
                title: ["en": "Checkup", "de": "Vorsorge"],
                subtitle: ["en": "20 minutes", "de": "20 Minuten"],
                synonyms: [["en": "exam", "de": "Kontrolle"]]
            )
        case .vaccination:
            DisplayRepresentation(
                title: ["en": "Vaccination", "de": "Impfung"],
                subtitle: ["en": "10 minutes", "de": "10 Minuten"],
                synonyms: [["en": "shot", "de": "Spritze"]]
            )
        case .dentalCleaning:
            DisplayRepresentation(
                title: ["en": "Dental cleaning", "de": "Zahnreinigung"],
                subtitle: ["en": "half an hour", "de": "eine halbe Stunde"]
            )
        }
    }

    /// In euros.
    var price: Int64 {
        switch self {
        case .checkup: 42
        case .vaccination: 35
        case .dentalCleaning: 95
        }
    }
}
