import Foundation
import IntentKit

extension CityRide {
    /// The times, in seconds, that a driver takes to accept a ride and to set out, and waits for the user.
    private static let stops = (confirmed: 5.0, approaching: 15.0, boarding: 60.0)

    /// The kinds of rides that are available for a trip now, each with the nearest free vehicle, the cheapest first.
    ///
    /// - Parameters:
    ///   - trip: The trip: from where to where, when, how many people.
    ///   - now: The time.
    ///   - isAgreed: Whether a price was shown already: then the lowest price during its guarantee counts, so that
    ///     nobody pays more than they said yes to.
    ///   - store: The store.
    /// - Returns: The offers; none where one of the places is only a name.
    /// - Throws: What the store throws.
    static func offers(
        for trip: RideTrip,
        at now: Date,
        isAgreed: Bool = false,
        in store: any StoreTransaction
    ) throws -> [RideOffer] {
        guard let kilometers = trip.kilometers, let start = trip.pickup.coordinate else { return [] }
        let terms = try Self.terms(in: store)
        let engagements = try Self.engagements(after: now, in: store)
        let guaranteed = isAgreed ? now.addingTimeInterval(-terms.priceGuarantee) : now
        var offers: [RideOffer] = []
        for tariff in try Self.tariffs(in: store) where tariff.seats >= trip.partySize {
            let percent = try Self.percent(of: tariff.identifier, at: now, leastSince: guaranteed, in: store)
            let fare = RideFare(tariff, kilometers: kilometers, percent: percent)
            let candidates = try Self.vehicles(for: tariff.identifier, in: store)
                .map { vehicle in
                    let approach = tariff.seconds(for: vehicle.location.kilometers(to: start) * RideTrip.detour)
                    let driving = tariff.seconds(for: kilometers)
                    return RideOffer(
                        tariff: tariff,
                        fare: fare,
                        vehicle: vehicle,
                        schedule: Self.schedule(trip, approach, driving, now, pace: terms.pace),
                        approach: approach
                    )
                }
            let free = candidates.filter { offer in
                !engagements.contains { $0.vehicle == offer.vehicle.identifier && $0.overlaps(offer.schedule) }
            }
            if let nearest = free.min(by: {
                ($0.approach, $0.vehicle.identifier) < ($1.approach, $1.vehicle.identifier)
            }) {
                offers.append(nearest)
            }
        }
        return offers.sorted { ($0.fare.total, $0.tariff.name) < ($1.fare.total, $1.tariff.name) }
    }

    /// The times of a ride's phases.
    private static func schedule(
        _ trip: RideTrip,
        _ approach: Double,
        _ driving: Double,
        _ now: Date,
        pace: Double
    ) -> Ride.Schedule {
        let earliest = now.addingTimeInterval(Self.stops.approaching / pace)
        let approaching = trip.pickupDate.map { max(earliest, $0.addingTimeInterval(-approach / pace)) } ?? earliest
        let pickup = approaching.addingTimeInterval(approach / pace)
        let departure = pickup.addingTimeInterval(Self.stops.boarding / pace)
        return Ride.Schedule(
            confirmed: now.addingTimeInterval(Self.stops.confirmed / pace),
            approaching: approaching,
            pickup: pickup,
            departure: departure,
            arrival: departure.addingTimeInterval(driving / pace)
        )
    }

    /// The time for which a vehicle is occupied.
    private struct Engagement {
        var vehicle: String
        var from: String
        var until: String

        func overlaps(_ schedule: Ride.Schedule) -> Bool {
            OffsetDateTime(schedule.approaching).text < self.until && self.from < OffsetDateTime(schedule.arrival).text
        }
    }

    private static func engagements(after now: Date, in store: any StoreTransaction) throws -> [Engagement] {
        try store.query(
            "SELECT vehicle, approaching_at, arrival_at FROM rides WHERE canceled_at IS NULL AND arrival_at > ?",
            [OffsetDateTime(now).json]
        )
        .map { row in
            Engagement(
                vehicle: row["vehicle"]?.string ?? "",
                from: row["approaching_at"]?.string ?? "",
                until: row["arrival_at"]?.string ?? ""
            )
        }
    }
}
