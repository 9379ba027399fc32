public import Foundation
public import IntentKit
public import SiriKitIntents

/// A ride service in one city: its area, its prices, its vehicles, and its data about users.
///
/// The functions run inside a store transaction. The functions here set the service up, as its operators do.
public enum CityRide {
    /// Sets the terms of all rides.
    ///
    /// - Throws: What the store throws.
    public static func setTerms(_ terms: RideTerms, in store: any StoreTransaction) throws {
        try store.execute(
            """
            INSERT OR REPLACE INTO ride_terms (number, is_available, currency_code, accepts_cash, demands_feedback,
                longest_notice, free_cancellation, cancellation_fee, price_guarantee, pace)
            VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .bool(terms.isAvailable), .string(terms.currencyCode), .bool(terms.acceptsCash),
                .bool(terms.demandsFeedback), .number(terms.longestNotice), .number(terms.freeCancellation),
                terms.cancellationFee.json, .number(terms.priceGuarantee), .number(terms.pace),
            ]
        )
    }

    /// Adds an area in which rides begin and end, or replaces the one of that name.
    ///
    /// - Throws: What the store throws.
    public static func add(_ area: ServiceArea, in store: any StoreTransaction) throws {
        try store.execute("DELETE FROM ride_area_corners WHERE area = ?", [.string(area.name)])
        for (position, corner) in area.corners.enumerated() {
            try store.execute(
                "INSERT INTO ride_area_corners (area, position, latitude, longitude) VALUES (?, ?, ?, ?)",
                [.string(area.name), position.json, .number(corner.latitude), .number(corner.longitude)]
            )
        }
    }

    /// Sets the percentage of the usual price from a point in time on.
    ///
    /// - Parameters:
    ///   - percent: 100 for the usual price, 150 for half as much again.
    ///   - option: The kind of ride.
    ///   - date: The point in time.
    ///   - store: The store.
    /// - Throws: What the store throws.
    public static func setSurge(
        _ percent: Int,
        for option: String,
        since date: Date,
        in store: any StoreTransaction
    ) throws {
        try store.execute(
            "INSERT OR REPLACE INTO ride_surges (option, since, percent) VALUES (?, ?, ?)",
            [.string(option), OffsetDateTime(date).json, percent.json]
        )
    }

    /// Adds a place that everybody knows, or a place with a user's own name, such as `home`; a place without
    /// coordinates is not added.
    ///
    /// - Throws: What the store throws.
    public static func add(_ place: Placemark, of userID: String? = nil, in store: any StoreTransaction) throws {
        guard let coordinate = place.coordinate else { return }
        try store.execute(
            "INSERT OR REPLACE INTO ride_places (user_id, name_key, name, latitude, longitude) VALUES (?, ?, ?, ?, ?)",
            [
                .string(userID ?? ""), .string(place.name.matchingKey), .string(place.name),
                .number(coordinate.latitude), .number(coordinate.longitude),
            ]
        )
    }

    /// Sets the state of a user's account; without a record an account is usable.
    ///
    /// - Throws: What the store throws.
    public static func setAccount(
        of userID: String,
        _ state: RideAccountState,
        in store: any StoreTransaction
    ) throws {
        try store.execute(
            "INSERT OR REPLACE INTO ride_accounts (user_id, state) VALUES (?, ?)",
            [.string(userID), .string(state.rawValue)]
        )
    }

    /// Sets the payment methods of a user, the preferred one first.
    ///
    /// - Throws: What the store throws.
    public static func setPaymentMethods(
        of userID: String,
        _ methods: [INPaymentMethod],
        in store: any StoreTransaction
    ) throws {
        try store.execute("DELETE FROM ride_payment_methods WHERE user_id = ?", [.string(userID)])
        for (position, method) in methods.enumerated() {
            try store.execute(
                "INSERT INTO ride_payment_methods (user_id, position, method) VALUES (?, ?, ?)",
                [.string(userID), position.json, method.json]
            )
        }
    }
}
