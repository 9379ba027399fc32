public import IntentKit

/// Where a workout takes place.
public enum INWorkoutLocationType: String, EnumerationValue, Codable {
    /// Not said.
    case unknown
    /// In the open air.
    case outdoor
    /// Under a roof.
    case indoor

    /// What people call it.
    public var title: LocalizedText? {
        switch self {
        case .unknown: nil
        case .outdoor: ["en": "outdoors", "de": "draußen"]
        case .indoor: ["en": "indoors", "de": "drinnen"]
        }
    }
}

/// Answers for where a workout takes place.
public typealias INWorkoutLocationTypeResolutionResult = ParameterResolution<INWorkoutLocationType, NoReason>
