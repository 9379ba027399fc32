import Foundation
import IntentKit

/// Resolves places, for both listing and requesting rides.
struct RidePlaces: Sendable {
    /// The time for which the user is probably still where the last ride ended.
    private static let stay = 12 * 3_600.0

    let context: TurnContext

    /// The pickup location: the place that was said; without one, where the user most likely is (behaviour 36).
    ///
    /// That is where the last ride ended, if it was today; otherwise where rides have most often begun. A place outside
    /// the area of service is accepted as a place: `confirm` reports that there is no service.
    func resolvePickup(_ place: Placemark?, dropOff: Placemark?) async throws -> INPlacemarkResolutionResult {
        if let place, !place.isMissing { return try await self.resolve(place) { $0 } }
        let situation = try await self.context.rideSituation()
        guard let guess = self.likelyPickup(situation), guess.name.matchingKey != dropOff?.name.matchingKey else {
            return .needsValue()
        }
        return .success(with: guess)
    }

    /// The destination: asked for when none was said, unsupported outside the area of service (behaviour 34) and when
    /// it equals the pickup location (behaviour 21).
    func resolveDropOff(_ place: Placemark?, pickup: Placemark?) async throws -> INPlacemarkResolutionResult {
        guard let place, !place.isMissing else { return .needsValue() }
        let situation = try await self.context.rideSituation()
        return try await self.resolve(place) { found in
            found.filter { place in
                let start = pickup?.coordinate
                let isHere = start.flatMap { start in place.coordinate.map { $0.kilometers(to: start) < 0.1 } } ?? false
                return situation.serves(place) && !isHere
            }
        }
    }

    /// Finds a place by name among the user's own and those that everybody knows.
    ///
    /// Without access to contacts only the latter are searched, and the user is asked for another place (behaviour 86).
    private func resolve(
        _ place: Placemark,
        _ fit: ([Placemark]) -> [Placemark]
    ) async throws -> INPlacemarkResolutionResult {
        let userID = self.context.user.hasContactsAccess ? self.context.user.id : nil
        let found = try await self.context.read("places") { try CityRide.places(matching: place, of: userID, in: $0) }
        if found.isEmpty && userID == nil { return .needsValue() }
        let fitting = fit(found)
        return switch fitting.count {
        case 2...: .disambiguation(with: fitting)
        case 1: .success(with: fitting[0])
        default: .unsupported()
        }
    }

    private func likelyPickup(_ situation: RideSituation) -> Placemark? {
        let now = self.context.now
        if let last = situation.lastCompletedRide(at: now),
            now.timeIntervalSince(last.schedule.arrival) < Self.stay
        {
            return last.dropOff
        }
        let taken = situation.rides.filter { $0.canceledAt == nil }
        return taken.map(\.pickup).mostFrequent
    }
}

extension Array where Element: Hashable {
    /// The most frequent element; among several, the first.
    var mostFrequent: Element? {
        let counts = self.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        guard let most = counts.values.max() else { return nil }
        return self.first { counts[$0] == most }
    }
}
