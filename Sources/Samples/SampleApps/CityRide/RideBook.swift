import Foundation
import IntentKit
import SiriKitIntents

/// A user's rides, as the service and the app store them (behaviour 59).
struct RideBook: Sendable {
    let userID: String

    init(of userID: String) {
        self.userID = userID
    }

    func add(_ ride: Ride, in store: any StoreTransaction) throws {
        try store.execute(
            """
            INSERT INTO rides (identifier, user_id, interaction, option, option_name, pickup_name, pickup_latitude,
                pickup_longitude, drop_off_name, drop_off_latitude, drop_off_longitude, party_size, payment_method, fare,
                fare_percent, fare_parts, currency_code, vehicle, requested_at, scheduled_start, scheduled_end,
                confirmed_at, approaching_at, pickup_at, departure_at, arrival_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .string(ride.identifier), .string(self.userID), .string(ride.interaction), .string(ride.option),
                .string(ride.optionName), .string(ride.pickup.name), ride.pickup.latitude?.json ?? .null,
                ride.pickup.longitude?.json ?? .null, .string(ride.dropOff.name), ride.dropOff.latitude?.json ?? .null,
                ride.dropOff.longitude?.json ?? .null, ride.partySize.json, ride.paymentMethod.json,
                ride.fare.total.json, ride.fare.percent.json,
                .array(ride.fare.parts.map { ["title": .string($0.title), "amount": $0.amount.json] }),
                .string(ride.currencyCode), .string(ride.vehicle.identifier), OffsetDateTime(ride.requestedAt).json,
                ride.scheduledFor?.start?.json ?? .null, ride.scheduledFor?.end?.json ?? .null,
                OffsetDateTime(ride.schedule.confirmed).json, OffsetDateTime(ride.schedule.approaching).json,
                OffsetDateTime(ride.schedule.pickup).json, OffsetDateTime(ride.schedule.departure).json,
                OffsetDateTime(ride.schedule.arrival).json,
            ]
        )
    }

    func cancel(_ identifier: String, fee: Int, at time: Date, in store: any StoreTransaction) throws {
        try store.execute(
            """
            UPDATE rides SET canceled_at = ?3, cancellation_fee = ?4
            WHERE user_id = ?1 AND identifier = ?2 AND canceled_at IS NULL
            """,
            [.string(self.userID), .string(identifier), OffsetDateTime(time).json, fee.json]
        )
    }

    /// Stores the user's feedback on a ride.
    func rate(_ identifier: String, rating: Int?, tip: Int?, at time: Date, in store: any StoreTransaction) throws {
        try store.execute(
            """
            UPDATE rides SET rating = ?3, tip = ?4, feedback_at = ?5
            WHERE user_id = ?1 AND identifier = ?2 AND feedback_at IS NULL
            """,
            [
                .string(self.userID), .string(identifier), rating?.json ?? .null, tip?.json ?? .null,
                OffsetDateTime(time).json,
            ]
        )
    }

    /// The ride of that identifier, if it is the user's.
    func ride(_ identifier: String, in store: any StoreTransaction) throws -> Ride? {
        try self.rides("rides.identifier = ?2", [.string(identifier)], in: store).first
    }

    /// The ride that was requested in an interaction.
    func ride(ofInteraction interaction: String, in store: any StoreTransaction) throws -> Ride? {
        try self.rides("interaction = ?2", [.string(interaction)], in: store).first
    }

    /// The user's last rides, the latest request first.
    func latest(in store: any StoreTransaction) throws -> [Ride] {
        try self.rides("TRUE", [], in: store)
    }

    private func rides(
        _ condition: String,
        _ arguments: [JSONValue],
        in store: any StoreTransaction
    ) throws -> [Ride] {
        try store.query(
            """
            SELECT rides.*, registration_plate, manufacturer, model, driver_name, driver_rating, driver_phone, latitude,
                longitude
            FROM rides JOIN ride_vehicles ON ride_vehicles.identifier = rides.vehicle
            WHERE user_id = ?1 AND \(condition)
            ORDER BY requested_at DESC, rides.identifier DESC LIMIT 10
            """,
            [.string(self.userID)] + arguments
        )
        .compactMap { try Ride(row: $0) }
    }
}
