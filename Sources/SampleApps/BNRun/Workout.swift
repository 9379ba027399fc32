public import IntentKit
public import SiriKitIntents

/// A workout as BNRun starts it.
public struct Workout: Hashable, Sendable, Codable {
    /// The kind.
    public var type: WorkoutType
    /// How much of it; nil for one that is open ended.
    public var goal: WorkoutGoal?
    /// Where.
    public var location: INWorkoutLocationType?

    /// Describes a workout.
    public init(_ type: WorkoutType, goal: WorkoutGoal? = nil, location: INWorkoutLocationType? = nil) {
        self.type = type
        self.goal = goal
        self.location = location
    }

    /// Makes the workout that an intent asks for.
    ///
    /// Nil when it asks for none that BNRun has: a name that it does not know, half a goal, a goal that the kind of
    /// workout cannot have, no goal for one that is not open ended (behaviour 48).
    public init?(startWorkoutIntent intent: INStartWorkoutIntent) {
        guard let type = intent.workoutName.flatMap(WorkoutType.init(intentWorkoutName:)) else { return nil }
        let location = intent.workoutLocationType == .unknown ? nil : intent.workoutLocationType
        switch (intent.goalValue, intent.namedUnit) {
        case (let value?, let unit?):
            let goal = WorkoutGoal(value: value, unit: unit)
            guard intent.isOpenEnded != true, goal.fits(type) else { return nil }
            self.init(type, goal: goal, location: location)
        case (nil, nil):
            guard intent.isOpenEnded != false else { return nil }
            self.init(type, location: location)
        case (nil, _?), (_?, nil): return nil
        }
    }

    /// What is said of the workout in responses and to the app.
    public var json: JSONValue {
        .members([
            "workoutName": self.type.speakableString.json,
            "goalValue": self.goal?.value.json,
            "workoutGoalUnitType": self.goal?.unit.json,
            "workoutLocationType": self.location?.json,
            "isOpenEnded": (self.goal == nil).json,
        ])
    }
}

extension INStartWorkoutIntent {
    /// The unit, if one is named.
    var namedUnit: INWorkoutGoalUnitType? { self.workoutGoalUnitType == .unknown ? nil : self.workoutGoalUnitType }
}
