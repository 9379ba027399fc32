public import Foundation
public import IntentKit
public import SiriKitIntents

/// A user's workouts, shared by the assistant and the app (behaviours 59 and 93).
///
/// The log only states what the app has reported: a requested workout stays `requested` until the app reports. The
/// functions run inside a store transaction.
public struct WorkoutLog: Sendable {
    public let userID: String

    public init(of userID: String) {
        self.userID = userID
    }

    /// Adds a workout that the app is asked to start.
    ///
    /// - Throws: What the store throws.
    public func request(
        _ workout: Workout,
        identifier: String,
        at time: Date,
        in store: any StoreTransaction
    ) throws {
        try store.execute(
            """
            INSERT INTO workouts (identifier, user_id, type, goal_value, goal_unit, location, state, requested_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .string(identifier), .string(self.userID), .string(workout.type.rawValue),
                workout.goal?.value.json ?? .null, workout.goal?.unit.json ?? .null, workout.location?.json ?? .null,
                .string(WorkoutState.requested.rawValue), OffsetDateTime(time).json,
            ]
        )
    }

    /// Logs that the app has started a workout; another current one has ended, since a user does one at a time.
    ///
    /// - Throws: What the store throws.
    public func start(_ identifier: String, at time: Date, in store: any StoreTransaction) throws {
        if let other = try self.current(in: store), other.identifier != identifier {
            try self.apply(.end, to: other.identifier, at: time, in: store)
        }
        let now = OffsetDateTime(time).json
        try store.execute(
            """
            UPDATE workouts SET state = 'running', started_at = ?3, resumed_at = ?3
            WHERE user_id = ?1 AND identifier = ?2 AND state IN ('requested', 'refused')
            """,
            [.string(self.userID), .string(identifier), now]
        )
    }

    /// Logs that the app could not start a workout.
    ///
    /// - Throws: What the store throws.
    public func refuse(_ identifier: String, in store: any StoreTransaction) throws {
        try store.execute(
            "UPDATE workouts SET state = 'refused' WHERE user_id = ? AND identifier = ? AND state = 'requested'",
            [.string(self.userID), .string(identifier)]
        )
    }

    /// Logs a change of a workout; one that cannot be changed like this stays as it is.
    ///
    /// - Throws: What the store throws.
    public func apply(
        _ change: WorkoutChange,
        to identifier: String,
        at time: Date,
        in store: any StoreTransaction
    ) throws {
        let rows = try store.query(
            "SELECT state, resumed_at FROM workouts WHERE user_id = ? AND identifier = ?",
            [.string(self.userID), .string(identifier)]
        )
        guard let state = rows.first?["state"]?.string.flatMap(WorkoutState.init(rawValue:)),
            change.origins.contains(state)
        else { return }
        let since = state == .running ? rows.first?["resumed_at"]?.string.flatMap(OffsetDateTime.init)?.date : nil
        let active = since.map { max(0, time.timeIntervalSince($0)) } ?? 0
        let now = OffsetDateTime(time).json
        let isOver = change.result == .ended || change.result == .canceled
        try store.execute(
            """
            UPDATE workouts SET state = ?3, active_seconds = active_seconds + ?4, resumed_at = ?5, ended_at = ?6
            WHERE user_id = ?1 AND identifier = ?2
            """,
            [
                .string(self.userID), .string(identifier), .string(change.result.rawValue), .number(active),
                change == .resume ? now : .null, isOver ? now : .null,
            ]
        )
    }

    /// The current workout, if there is one.
    ///
    /// - Throws: What the store throws.
    public func current(in store: any StoreTransaction) throws -> LoggedWorkout? {
        try store.query(
            "SELECT * FROM workouts WHERE user_id = ? AND state IN ('running', 'paused')",
            [.string(self.userID)]
        )
        .first.flatMap(LoggedWorkout.init(row:))
    }

    /// The unit of the user's last goal for that kind of workout: what "run for twenty" most likely means (behaviour
    /// 36).
    ///
    /// - Throws: What the store throws.
    public func habitualUnit(
        for type: WorkoutType,
        in store: any StoreTransaction
    ) throws -> INWorkoutGoalUnitType? {
        try store
            .query(
                """
                SELECT goal_unit FROM workouts WHERE user_id = ? AND type = ? AND goal_unit IS NOT NULL
                    AND started_at IS NOT NULL
                ORDER BY started_at DESC, identifier DESC LIMIT 1
                """,
                [.string(self.userID), .string(type.rawValue)]
            )
            .first?["goal_unit"]?
            .string.flatMap(INWorkoutGoalUnitType.init(rawValue:))
    }
}
