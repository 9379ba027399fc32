public import IntentKit

/// The unit of a workout's goal.
public enum INWorkoutGoalUnitType: String, EnumerationValue, Codable {
    /// Not said.
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
}

/// Answers for the unit of a workout's goal.
public typealias INWorkoutGoalUnitTypeResolutionResult = ParameterResolution<INWorkoutGoalUnitType, NoReason>
