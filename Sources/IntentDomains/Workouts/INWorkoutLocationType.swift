public import IntentKit

/// Where a workout takes place.
public enum INWorkoutLocationType: String, EnumerationValue, Codable {
    /// Not said.
    case unknown
    /// In the open air.
    case outdoor
    /// Under a roof.
    case indoor
}

/// Answers for where a workout takes place.
public typealias INWorkoutLocationTypeResolutionResult = ParameterResolution<INWorkoutLocationType, NoReason>
