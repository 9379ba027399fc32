public import IntentKit
import SiriKitIntents

/// A workout in the log.
public struct LoggedWorkout: Hashable, Sendable, Codable {
    /// The log's identifier of it.
    public var identifier: String
    public var workout: Workout
    public var state: WorkoutState
    /// The time at which the app started it.
    public var startedAt: String?
    public var endedAt: String?
    /// Its duration without pauses, up to its last change, in seconds.
    public var activeSeconds: Double

    /// Its form in responses and for the app.
    public var json: JSONValue {
        var members = self.workout.json.object ?? [:]
        members["workoutIdentifier"] = .string(self.identifier)
        members["state"] = .string(self.state.rawValue)
        members["startedAt"] = self.startedAt?.json
        members["endedAt"] = self.endedAt?.json
        members["activeSeconds"] = self.activeSeconds.json
        return .object(members)
    }

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

public enum WorkoutState: String, Sendable, CaseIterable, Codable {
    /// The app was asked to start it, and has not answered.
    case requested
    /// The app could not start it.
    case refused
    case running
    case paused
    case ended
    /// It is over and does not count.
    case canceled
}
