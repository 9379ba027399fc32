public import IntentKit

public enum INRidePhase: String, EnumerationValue, Codable {
    /// Not known, or not asked for yet.
    case unknown
    /// The request was received.
    case received
    /// A driver has accepted it.
    case confirmed
    /// The vehicle is on its way to the user.
    case approachingPickup
    /// The vehicle waits for the user.
    case pickup
    /// The user is in the vehicle.
    case ongoing
    case completed
}
