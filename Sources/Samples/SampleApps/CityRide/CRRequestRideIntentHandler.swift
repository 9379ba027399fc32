public import IntentKit
public import SiriKitIntents

/// Orders a ride with CityRide.
public struct CRRequestRideIntentHandler: INRequestRideIntentHandling {
    /// The interval of status updates about the ride's position; nil for none.
    public let statusUpdates: StatusUpdates?

    public init(statusUpdates: StatusUpdates? = nil) { self.statusUpdates = statusUpdates }

    public func resolvePickupLocation(
        for intent: INRequestRideIntent,
        with context: TurnContext
    ) async throws -> INPlacemarkResolutionResult {
        try await RidePlaces(context: context).resolvePickup(intent.pickupLocation, dropOff: intent.dropOffLocation)
    }

    public func resolveDropOffLocation(
        for intent: INRequestRideIntent,
        with context: TurnContext
    ) async throws -> INPlacemarkResolutionResult {
        try await RidePlaces(context: context).resolveDropOff(intent.dropOffLocation, pickup: intent.pickupLocation)
    }

    /// Accepts a kind of ride by name.
    ///
    /// If the kind is too small for the party, the user is asked to confirm the smallest one that is large enough
    /// (behaviour 18). For any other name, all kinds are offered (behaviour 30).
    ///
    /// Without a name it is the user's most frequent kind, or the smallest and cheapest (behaviour 36).
    public func resolveRideOptionName(
        for intent: INRequestRideIntent,
        with context: TurnContext
    ) async throws -> INSpeakableStringResolutionResult {
        let tariffs = try await context.read("tariffs") { try CityRide.tariffs(in: $0) }
        let fitting = tariffs.filter { $0.seats >= intent.partySize ?? 1 }
        // Too many people for all of them: the party size is the problem then.
        let choices = fitting.isEmpty ? tariffs : fitting
        guard let name = intent.rideOptionName, !name.isMissing else {
            let usual = try await context.rideSituation().rides.filter { $0.canceledAt == nil }.map(\.option)
            let known = usual.filter { option in choices.contains { $0.identifier == option } }
            let guess = choices.first { $0.identifier == known.mostFrequent } ?? choices.first
            return guess.map { .success(with: $0.speakableString) } ?? .unsupported()
        }
        guard let tariff = tariffs.first(where: { $0.isCalled(name) }) else {
            return .disambiguation(with: choices.map(\.speakableString))
        }
        guard !choices.contains(tariff) else { return .success(with: tariff.speakableString) }
        return .confirmationRequired(with: choices[0].speakableString)
    }

    /// Accepts as many people as the largest vehicle has seats; one, when no number is given.
    public func resolvePartySize(
        for intent: INRequestRideIntent,
        with context: TurnContext
    ) async throws -> INIntegerResolutionResult {
        guard let size = intent.partySize else { return .notRequired() }
        let tariffs = try await context.read("tariffs") { try CityRide.tariffs(in: $0) }
        let most = tariffs.map(\.seats).max() ?? 0
        return (1...max(1, most)).contains(size) ? .success(with: size) : .unsupported()
    }

    /// Accepts a point in time that is not past; for a day alone, the user is asked for the time.
    public func resolveScheduledPickupTime(
        for intent: INRequestRideIntent,
        with context: TurnContext
    ) async throws -> INDateComponentsRangeResolutionResult {
        guard let time = intent.scheduledPickupTime else { return .notRequired() }
        guard let date = time.pickupDate else { return .needsValue() }
        return date >= context.now && !time.isBackwards ? .success(with: time) : .unsupported()
    }
}

extension RideTariff {
    /// The option that the user is offered.
    var speakableString: INSpeakableString { INSpeakableString(spokenPhrase: self.name, identifier: self.identifier) }

    /// Whether a name means this kind of ride: by identifier once it has been chosen, otherwise by its words.
    func isCalled(_ name: INSpeakableString) -> Bool {
        if let identifier = name.identifier { return identifier == self.identifier }
        return name.spokenPhrase.matchingKey == self.name.matchingKey
            || name.spokenPhrase.matchingWords.isSuperset(of: self.name.matchingWords)
    }
}
