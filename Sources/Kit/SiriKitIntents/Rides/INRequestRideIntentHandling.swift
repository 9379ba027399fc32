public import IntentKit

/// Orders rides: SiriKit's protocol, with its methods' names.
///
/// Only `handle` is required.
public protocol INRequestRideIntentHandling: INIntentHandling where HandledIntent == INRequestRideIntent {
    func resolvePickupLocation(
        for intent: INRequestRideIntent,
        with context: TurnContext
    ) async throws -> INPlacemarkResolutionResult

    func resolveDropOffLocation(
        for intent: INRequestRideIntent,
        with context: TurnContext
    ) async throws -> INPlacemarkResolutionResult

    /// Finds out which kind of ride is meant.
    func resolveRideOptionName(
        for intent: INRequestRideIntent,
        with context: TurnContext
    ) async throws -> INSpeakableStringResolutionResult

    func resolvePartySize(
        for intent: INRequestRideIntent,
        with context: TurnContext
    ) async throws -> INIntegerResolutionResult

    /// Finds out for when the ride is.
    func resolveScheduledPickupTime(
        for intent: INRequestRideIntent,
        with context: TurnContext
    ) async throws -> INDateComponentsRangeResolutionResult
}

extension INRequestRideIntentHandling {
    /// The methods, each for the parameter in its name.
    public var resolvers: [Resolve<INRequestRideIntent>] {
        [
            Resolve(by: self.resolvePickupLocation, \.$pickupLocation),
            Resolve(by: self.resolveDropOffLocation, \.$dropOffLocation),
            Resolve(by: self.resolveRideOptionName, \.$rideOptionName),
            Resolve(by: self.resolvePartySize, \.$partySize),
            Resolve(by: self.resolveScheduledPickupTime, \.$scheduledPickupTime),
        ]
    }

    /// Uses it as it is.
    public func resolvePickupLocation(
        for intent: INRequestRideIntent,
        with context: TurnContext
    ) async throws -> INPlacemarkResolutionResult {
        intent.pickupLocation.map { .success(with: $0) } ?? .notRequired()
    }

    /// Uses it as it is.
    public func resolveDropOffLocation(
        for intent: INRequestRideIntent,
        with context: TurnContext
    ) async throws -> INPlacemarkResolutionResult {
        intent.dropOffLocation.map { .success(with: $0) } ?? .notRequired()
    }

    /// Uses it as it is.
    public func resolveRideOptionName(
        for intent: INRequestRideIntent,
        with context: TurnContext
    ) async throws -> INSpeakableStringResolutionResult {
        intent.rideOptionName.map { .success(with: $0) } ?? .notRequired()
    }

    /// Uses it as it is.
    public func resolvePartySize(
        for intent: INRequestRideIntent,
        with context: TurnContext
    ) async throws -> INIntegerResolutionResult {
        intent.partySize.map { .success(with: $0) } ?? .notRequired()
    }

    /// Uses it as it is.
    public func resolveScheduledPickupTime(
        for intent: INRequestRideIntent,
        with context: TurnContext
    ) async throws -> INDateComponentsRangeResolutionResult {
        intent.scheduledPickupTime.map { .success(with: $0) } ?? .notRequired()
    }
}
