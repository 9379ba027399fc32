import Foundation
import IntentKit

extension WorkoutLog {
    /// A request to the app.
    enum Order: Hashable, Sendable {
        case start
        case change(WorkoutChange)

        /// Its name in the table.
        var name: String {
            switch self {
            case .start: "start"
            case .change(let change): change.rawValue
            }
        }
    }

    /// Logs what was handed to the app in an interaction, and the app's result if no report will follow.
    ///
    /// - Throws: What the store throws.
    func handOver(
        _ order: Order,
        of identifier: String,
        interaction: String,
        at time: Date,
        in store: any StoreTransaction
    ) throws {
        try store.execute(
            "INSERT INTO workout_orders (user_id, interaction, order_name, workout, handed_at) VALUES (?, ?, ?, ?, ?)",
            [
                .string(self.userID), .string(interaction), .string(order.name), .string(identifier),
                OffsetDateTime(time).json,
            ]
        )
    }

    /// Logs what the app reported about a request, and what follows from it for the workout.
    ///
    /// - Parameters:
    ///   - order: The request.
    ///   - interaction: The interaction's id.
    ///   - code: The code. `success` means that it was done. So does `continueInApp`, because the app then continues
    ///     with the user and sends no further report. Any other code means that it was not done.
    ///   - time: The time at which it was done.
    ///   - store: The store.
    /// - Returns: The workout's identifier; nil when the app did not get the request.
    /// - Throws: What the store throws.
    @discardableResult
    func settle(
        _ order: Order,
        interaction: String,
        code: String,
        at time: Date,
        in store: any StoreTransaction
    ) throws -> String? {
        let rows = try store.query(
            """
            SELECT number, workout FROM workout_orders
            WHERE user_id = ? AND interaction = ? AND order_name = ? AND code IS NULL ORDER BY number DESC LIMIT 1
            """,
            [.string(self.userID), .string(interaction), .string(order.name)]
        )
        guard let number = rows.first?["number"], let identifier = rows.first?["workout"]?.string else { return nil }
        try store.execute(
            "UPDATE workout_orders SET code = ?, answered_at = ? WHERE number = ?",
            [.string(code), OffsetDateTime(time).json, number]
        )
        let isDone = code == "success" || code == "continueInApp"
        switch order {
        case .start where isDone: try self.start(identifier, at: time, in: store)
        case .start: try self.refuse(identifier, in: store)
        case .change(let change) where isDone: try self.apply(change, to: identifier, at: time, in: store)
        case .change: break
        }
        return identifier
    }
}
