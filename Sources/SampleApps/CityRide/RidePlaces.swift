import Foundation
import IntentKit

/// Finds out which places a user means: what listing and requesting rides do alike.
struct RidePlaces: Sendable {
    /// For how long the user is likely to be still where the last ride ended.
    private static let stay = 12 * 3_600.0

    /// Who asks, and when.
    let context: TurnContext

    /// Where the ride begins: the place said; without one, where the user most likely is (behaviour 36).
    ///
    /// That is where the last ride ended, if that was today; else where rides have most often begun. A place outside the
    /// area of service is a place all the same: `confirm` says that there is no service.
    func resolvePickup(_ place: Placemark?, dropOff: Placemark?) async throws -> INPlacemarkResolutionResult {
        if let place, !place.isMissing { return try await self.resolve(place) { $0 } }
        let situation = try await self.context.rideSituation()
        guard let guess = self.likelyPickup(situation), guess.name.matchingKey != dropOff?.name.matchingKey else {
            return .needsValue()
        }
        return .success(with: guess)
    }

    /// Where it ends: asked for when nobody said, unsupported outside the area of service (behaviour 34), and where
    /// it begins (behaviour 21).
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

    /// Finds a place by name among the user's own and those that everybody knows; without access to contacts, among the
    /// latter only, and the user is asked for another (behaviour 86).
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
    /// The element that there is most often; of several, the first.
    var mostFrequent: Element? {
        let counts = self.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        guard let most = counts.values.max() else { return nil }
        return self.first { counts[$0] == most }
    }
}
