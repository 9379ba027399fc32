public import IntentKit

/// The unit of a workout's goal.
public enum INWorkoutGoalUnitType: String, EnumerationValue, Codable {
    /// Not specified.
    case unknown
    /// Inches.
    case inch
    /// Metres.
    case meter
    /// Feet.
    case foot
    /// Miles.
    case mile
    /// Yards.
    case yard
    /// Seconds.
    case second
    /// Minutes.
    case minute
    /// Hours.
    case hour
    /// Joules.
    case joule
    /// Kilocalories.
    case kiloCalorie

    /// The title for people.
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

/// The result for the unit of a workout's goal.
public typealias INWorkoutGoalUnitTypeResolutionResult = ParameterResolution<INWorkoutGoalUnitType, NoReason>
