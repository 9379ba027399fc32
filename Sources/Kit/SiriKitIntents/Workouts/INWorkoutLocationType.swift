public import IntentKit

/// Where a workout takes place.
public enum INWorkoutLocationType: String, EnumerationValue, Codable {
    case unknown
    case outdoor
    case indoor

    public var title: LocalizedText? {
        switch self {
        case .unknown: nil
        case .outdoor: ["en": "outdoors", "de": "draußen"]
        case .indoor: ["en": "indoors", "de": "drinnen"]
        }
    }
}

/// The result for where a workout takes place.
public typealias INWorkoutLocationTypeResolutionResult = ParameterResolution<INWorkoutLocationType, NoReason>
