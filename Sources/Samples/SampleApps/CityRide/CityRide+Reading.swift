import Foundation
import IntentKit
import SiriKitIntents

extension CityRide {
    static func terms(in store: any StoreTransaction) throws -> RideTerms {
        var terms = RideTerms()
        guard let row = try store.query("SELECT * FROM ride_terms", []).first else { return terms }
        terms.isAvailable = row["is_available"] != 0
        terms.currencyCode = row["currency_code"]?.string ?? terms.currencyCode
        terms.acceptsCash = row["accepts_cash"] != 0
        terms.demandsFeedback = row["demands_feedback"] != 0
        terms.longestNotice = row["longest_notice"]?.number ?? terms.longestNotice
        terms.freeCancellation = row["free_cancellation"]?.number ?? terms.freeCancellation
        terms.cancellationFee = row["cancellation_fee"].flatMap(Int.init(json:)) ?? terms.cancellationFee
        terms.priceGuarantee = row["price_guarantee"]?.number ?? terms.priceGuarantee
        terms.pace = row["pace"]?.number ?? terms.pace
        return terms
    }

    /// The areas in which rides begin and end.
    static func areas(in store: any StoreTransaction) throws -> [ServiceArea] {
        let rows = try store.query("SELECT * FROM ride_area_corners ORDER BY area, position", [])
        var areas: [ServiceArea] = []
        for row in rows {
            guard let name = row["area"]?.string, let latitude = row["latitude"]?.number,
                let longitude = row["longitude"]?.number
            else { continue }
            if areas.last?.name != name { areas.append(ServiceArea(name, corners: [])) }
            areas[areas.count - 1].corners.append(Coordinate(latitude: latitude, longitude: longitude))
        }
        return areas
    }

    /// The kinds of rides, the smallest and cheapest first.
    static func tariffs(in store: any StoreTransaction) throws -> [RideTariff] {
        try store.query("SELECT * FROM ride_tariffs ORDER BY seats, base, name", [])
            .map { row in
                func number(_ column: String) -> Int { row[column].flatMap(Int.init(json:)) ?? 0 }
                return RideTariff(
                    row["name"]?.string ?? "",
                    identifier: row["identifier"]?.string ?? "",
                    seats: number("seats"),
                    base: number("base"),
                    perKilometer: number("per_kilometer"),
                    minimum: number("minimum"),
                    speed: row["speed"]?.number ?? 30,
                    disclaimer: row["disclaimer"]?.string
                )
            }
    }

    /// The percentage of the usual price at a time, or the lowest since another time.
    static func percent(
        of option: String,
        at time: Date,
        leastSince begin: Date? = nil,
        in store: any StoreTransaction
    ) throws -> Int {
        let rows = try store.query(
            "SELECT since, percent FROM ride_surges WHERE option = ? AND since <= ? ORDER BY since DESC",
            [.string(option), OffsetDateTime(time).json]
        )
        let begin = OffsetDateTime(begin ?? time).text
        var least: Int?
        for row in rows {
            let percent = row["percent"].flatMap(Int.init(json:)) ?? 100
            least = min(least ?? percent, percent)
            if let since = row["since"]?.string, since <= begin { return least ?? percent }
        }
        // Before the first entry the usual price held.
        return min(least ?? 100, 100)
    }

    static func vehicles(for option: String, in store: any StoreTransaction) throws -> [RideVehicle] {
        try store.query("SELECT * FROM ride_vehicles WHERE option = ? ORDER BY identifier", [.string(option)])
            .map(RideVehicle.init(row:))
    }

    static func accountState(of userID: String, in store: any StoreTransaction) throws -> RideAccountState {
        try store.query("SELECT state FROM ride_accounts WHERE user_id = ?", [.string(userID)])
            .first?["state"]?
            .string.flatMap(RideAccountState.init(rawValue:)) ?? .active
    }

    /// The user's payment methods, the preferred one first; cash where it is accepted.
    static func paymentMethods(of userID: String, in store: any StoreTransaction) throws -> [INPaymentMethod] {
        let rows = try store.query(
            "SELECT method FROM ride_payment_methods WHERE user_id = ? ORDER BY position",
            [.string(userID)]
        )
        let methods = try rows.compactMap { row in
            try row["method"]?.string.flatMap { INPaymentMethod(json: try JSONValue(parsing: $0)) }
        }
        return methods + (try Self.terms(in: store).acceptsCash ? [INPaymentMethod(type: .unknown, name: "Cash")] : [])
    }
}

extension RideVehicle {
    /// Reads a row of the table, or a row of the rides joined with it.
    init(row: JSONObject) {
        self.init(
            (row["vehicle"] ?? row["identifier"])?.string ?? "",
            option: row["option"]?.string ?? "",
            registrationPlate: row["registration_plate"]?.string ?? "",
            manufacturer: row["manufacturer"]?.string ?? "",
            model: row["model"]?.string ?? "",
            driver: INRideDriver(
                displayName: row["driver_name"]?.string ?? "",
                rating: row["driver_rating"]?.string,
                phoneNumber: row["driver_phone"]?.string
            ),
            latitude: row["latitude"]?.number ?? 0,
            longitude: row["longitude"]?.number ?? 0
        )
    }
}
