import Foundation
import IntentKit
import SiriKitIntents

extension Ride {
    /// Reads a row of the table, joined with its vehicle's.
    init?(row: JSONObject) throws {
        func date(_ column: String) -> Date? { row[column]?.string.flatMap(OffsetDateTime.init)?.date }
        func number(_ column: String) -> Int? { row[column].flatMap(Int.init(json:)) }
        func place(_ name: String) -> Placemark {
            Placemark(
                name: row["\(name)_name"]?.string ?? "",
                latitude: row["\(name)_latitude"]?.number,
                longitude: row["\(name)_longitude"]?.number
            )
        }
        func parsed(_ column: String) throws -> JSONValue { try JSONValue(parsing: row[column]?.string ?? "null") }
        guard let identifier = row["identifier"]?.string, let requestedAt = date("requested_at"),
            let confirmed = date("confirmed_at"), let approaching = date("approaching_at"),
            let pickup = date("pickup_at"), let departure = date("departure_at"), let arrival = date("arrival_at"),
            let paymentMethod = INPaymentMethod(json: try parsed("payment_method"))
        else { return nil }
        let parts = (try parsed("fare_parts").array ?? [])
            .map { RideFare.Part(title: $0["title"]?.string ?? "", amount: $0["amount"].flatMap(Int.init(json:)) ?? 0) }
        self.init(
            identifier: identifier,
            interaction: row["interaction"]?.string ?? "",
            option: row["option"]?.string ?? "",
            optionName: row["option_name"]?.string ?? "",
            pickup: place("pickup"),
            dropOff: place("drop_off"),
            partySize: number("party_size") ?? 1,
            paymentMethod: paymentMethod,
            fare: RideFare(parts: parts, percent: number("fare_percent") ?? 100),
            currencyCode: row["currency_code"]?.string ?? "",
            vehicle: RideVehicle(row: row),
            requestedAt: requestedAt,
            scheduledFor: INDateComponentsRange(
                json: .members(["start": row["scheduled_start"], "end": row["scheduled_end"]])
            ),
            schedule: Schedule(
                confirmed: confirmed,
                approaching: approaching,
                pickup: pickup,
                departure: departure,
                arrival: arrival
            ),
            canceledAt: date("canceled_at"),
            cancellationFee: number("cancellation_fee"),
            rating: number("rating"),
            tip: number("tip")
        )
    }
}
