public import IntentKit
import SiriKitIntents

/// A workout in the log.
public struct LoggedWorkout: Hashable, Sendable, Codable {
    /// The log's identifier of it.
    public var identifier: String
    /// What kind of workout it is.
    public var workout: Workout
    /// How far it is.
    public var state: WorkoutState
    /// When the app started it.
    public var startedAt: String?
    /// When it ended.
    public var endedAt: String?
    /// How long it has run, pauses left out, up to its last change.
    public var activeSeconds: Double

    /// What is said of it in responses and to the app.
    public var json: JSONValue {
        var members = self.workout.json.object ?? [:]
        members["workoutIdentifier"] = .string(self.identifier)
        members["state"] = .string(self.state.rawValue)
        members["startedAt"] = self.startedAt?.json
        members["endedAt"] = self.endedAt?.json
        members["activeSeconds"] = self.activeSeconds.json
        return .object(members)
    }

    /// Reads a row of the table.
    init?(row: JSONObject) {
        guard let identifier = row["identifier"]?.string,
            let type = row["type"]?.string.flatMap(WorkoutType.init(rawValue:)),
            let state = row["state"]?.string.flatMap(WorkoutState.init(rawValue:))
        else { return nil }
        var workout = Workout(type)
        if let value = row["goal_value"]?.number,
            let unit = row["goal_unit"]?.string.flatMap(INWorkoutGoalUnitType.init(rawValue:))
        {
            workout.goal = WorkoutGoal(value: value, unit: unit)
        }
        workout.location = row["location"]?.string.flatMap(INWorkoutLocationType.init(rawValue:))
        self.identifier = identifier
        self.workout = workout
        self.state = state
        self.startedAt = row["started_at"]?.string
        self.endedAt = row["ended_at"]?.string
        self.activeSeconds = row["active_seconds"]?.number ?? 0
    }
}
