public import IntentKit
public import SiriKitIntents

/// A workout in the form in which BNRun starts it.
public struct Workout: Hashable, Sendable, Codable {
    public var type: WorkoutType
    /// The goal; nil for an open-ended workout.
    public var goal: WorkoutGoal?
    public var location: INWorkoutLocationType?

    public init(_ type: WorkoutType, goal: WorkoutGoal? = nil, location: INWorkoutLocationType? = nil) {
        self.type = type
        self.goal = goal
        self.location = location
    }

    /// Creates the workout that an intent asks for.
    ///
    /// Nil when the intent asks for none that BNRun has: an unknown name, half a goal, a goal that the kind of workout
    /// cannot have, or no goal for a workout that is not open-ended (behaviour 48).
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

    /// Its form in responses and for the app.
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
