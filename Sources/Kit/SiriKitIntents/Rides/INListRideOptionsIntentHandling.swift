public import IntentKit

/// Lists the available rides: SiriKit's protocol, with its methods' names.
///
/// Only `handle` is required.
public protocol INListRideOptionsIntentHandling: INIntentHandling where HandledIntent == INListRideOptionsIntent {
    func resolvePickupLocation(
        for intent: INListRideOptionsIntent,
        with context: TurnContext
    ) async throws -> INPlacemarkResolutionResult

    func resolveDropOffLocation(
        for intent: INListRideOptionsIntent,
        with context: TurnContext
    ) async throws -> INPlacemarkResolutionResult
}

extension INListRideOptionsIntentHandling {
    /// The methods, each for the parameter in its name.
    public var resolvers: [Resolve<INListRideOptionsIntent>] {
        [
            Resolve(by: self.resolvePickupLocation, \.$pickupLocation),
            Resolve(by: self.resolveDropOffLocation, \.$dropOffLocation),
        ]
    }

    /// Uses it as it is.
    public func resolvePickupLocation(
        for intent: INListRideOptionsIntent,
        with context: TurnContext
    ) async throws -> INPlacemarkResolutionResult {
        intent.pickupLocation.map { .success(with: $0) } ?? .notRequired()
    }

    /// Uses it as it is.
    public func resolveDropOffLocation(
        for intent: INListRideOptionsIntent,
        with context: TurnContext
    ) async throws -> INPlacemarkResolutionResult {
        intent.dropOffLocation.map { .success(with: $0) } ?? .notRequired()
    }
}
