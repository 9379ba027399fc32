import IntentKit

/// What the owner has noticed.
enum Symptom: String, EnumerationValue {
    case limping, scratching, notEating, breathless

    var title: LocalizedText? {
        switch self {
        case .limping: ["en": "Limping", "de": "Hinkt"]
        case .scratching: ["en": "Scratching", "de": "Kratzt sich"]
        case .notEating: ["en": "Not eating", "de": "Frisst nicht"]
        case .breathless: ["en": "Breathless", "de": "Atemnot"]
        }
    }
}
