import Foundation
import IntentKit

extension WorkoutLog {
    /// What an app is asked for.
    enum Order: Hashable, Sendable {
        /// To start the workout.
        case start
        /// To change it.
        case change(WorkoutChange)

        /// Its name in the table.
        var name: String {
            switch self {
            case .start: "start"
            case .change(let change): change.rawValue
            }
        }
    }

    /// Notes what the app was handed in an interaction, and what it said if it has no more to say.
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

    /// Notes what the app said about what it was handed, and what follows from that for the workout.
    ///
    /// - Parameters:
    ///   - order: What it was asked for.
    ///   - interaction: In which interaction.
    ///   - code: The code. `success` means that it was done; so does `continueInApp`, for then the app goes on with the
    ///     user and has no more to say; anything else, that it was not.
    ///   - time: When it was done.
    ///   - store: The store.
    /// - Returns: The workout's identifier; nil when the app was asked for nothing of the kind.
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
