public import IntentKit

public enum INWorkoutGoalUnitType: String, EnumerationValue, Codable {
    case unknown
    case inch
    case meter
    case foot
    case mile
    case yard
    case second
    case minute
    case hour
    case joule
    case kiloCalorie

    public var title: LocalizedText? {
        switch self {
        case .unknown: nil
        case .inch: ["en": "inches", "de": "Zoll"]
        case .meter: ["en": "metres", "de": "Meter"]
        case .foot: ["en": "feet", "de": "Fuß"]
        case .mile: ["en": "miles", "de": "Meilen"]
        case .yard: ["en": "yards", "de": "Yards"]
        case .second: ["en": "seconds", "de": "Sekunden"]
        case .minute: ["en": "minutes", "de": "Minuten"]
        case .hour: ["en": "hours", "de": "Stunden"]
        case .joule: ["en": "joules", "de": "Joule"]
        case .kiloCalorie: ["en": "kilocalories", "de": "Kilokalorien"]
        }
    }
}

public typealias INWorkoutGoalUnitTypeResolutionResult = ParameterResolution<INWorkoutGoalUnitType, NoReason>
