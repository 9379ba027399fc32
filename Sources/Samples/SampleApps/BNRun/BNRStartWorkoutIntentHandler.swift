public import IntentKit
public import SiriKitIntents

/// Makes BNRun start a walk, a run or a swim.
public struct BNRStartWorkoutIntentHandler: INStartWorkoutIntentHandling {
    /// The first version of the app that starts workouts in the background.
    let backgroundVersion: AppVersion

    public init(backgroundVersion: AppVersion = WorkoutsExtension.firstVersionInBackground) {
        self.backgroundVersion = backgroundVersion
    }

    /// Accepts a walk, a run or a swim, by its own name or the user's; for anything else, the user is offered the three
    /// (behaviour 30).
    public func resolveWorkoutName(
        for intent: INStartWorkoutIntent,
        with context: TurnContext
    ) async throws -> INSpeakableStringResolutionResult {
        guard let name = intent.workoutName, !name.isMissing else { return .needsValue() }
        guard let type = context.workoutType(named: name, in: INStartWorkoutIntent.intentName) else {
            return .disambiguation(with: WorkoutType.allCases.map(\.speakableString))
        }
        return .success(with: type.speakableString)
    }

    /// An open-ended workout has no goal, whatever was said (behaviour 16); otherwise, when half of a goal was said,
    /// the user is asked for the rest.
    ///
    /// A goal that is too large for the kind of workout, in the unit given, conflicts with both (behaviour 21).
    public func resolveGoalValue(
        for intent: INStartWorkoutIntent,
        with context: TurnContext
    ) async throws -> INDoubleResolutionResult {
        if intent.isOpenEnded == true { return .notRequired() }
        guard let value = intent.goalValue else {
            return intent.namedUnit != nil || intent.isOpenEnded == false ? .needsValue() : .notRequired()
        }
        guard value > 0 else { return .unsupported() }
        if let type = intent.workoutName.flatMap(WorkoutType.init(intentWorkoutName:)), let unit = intent.namedUnit,
            unit.fits(type), !WorkoutGoal(value: value, unit: unit).fits(type)
        {
            return .unsupported()
        }
        return .success(with: value)
    }

    /// A goal without a unit gets that of the user's last one (behaviour 36), or the user is asked.
    ///
    /// A unit in which BNRun does not measure that kind of workout conflicts with it (behaviour 21).
    public func resolveWorkoutGoalUnitType(
        for intent: INStartWorkoutIntent,
        with context: TurnContext
    ) async throws -> INWorkoutGoalUnitTypeResolutionResult {
        if intent.isOpenEnded == true { return .notRequired() }
        let type = intent.workoutName.flatMap(WorkoutType.init(intentWorkoutName:))
        if let unit = intent.namedUnit {
            return type.map(unit.fits) ?? (unit.measure != nil) ? .success(with: unit) : .unsupported()
        }
        guard let value = intent.goalValue else { return intent.isOpenEnded == false ? .needsValue() : .notRequired() }
        guard let type else { return .needsValue() }
        let log = WorkoutLog(of: context.user.id)
        let unit = try await context.read("habitualUnit") { try log.habitualUnit(for: type, in: $0) }
        guard let unit, WorkoutGoal(value: value, unit: unit).fits(type) else { return .needsValue() }
        return .success(with: unit)
    }

    /// BNRun accepts the location, and never asks for it (behaviour 22).
    public func resolveWorkoutLocationType(
        for intent: INStartWorkoutIntent,
        with context: TurnContext
    ) async throws -> INWorkoutLocationTypeResolutionResult {
        guard let location = intent.workoutLocationType, location != .unknown else { return .notRequired() }
        return .success(with: location)
    }

    /// Accepts the yes or no, and does not ask for it (behaviour 22).
    public func resolveIsOpenEnded(
        for intent: INStartWorkoutIntent,
        with context: TurnContext
    ) async throws -> INBooleanResolutionResult {
        intent.isOpenEnded.map { .success(with: $0) } ?? .notRequired()
    }
}

extension TurnContext {
    /// The kind of workout that a name means: by identifier, then by the user's own names for it and the names that all
    /// users share (behaviours 70, 73, 74), then by the word.
    func workoutType(named name: INSpeakableString, in intentName: String) -> WorkoutType? {
        if let type = name.identifier.flatMap(WorkoutType.init(rawValue:)) { return type }
        let matches = self.vocabularyMatches(
            for: name.spokenPhrase,
            type: .workoutActivityName,
            parameter: "\(intentName).workoutName"
        )
        return matches.lazy.compactMap { WorkoutType(intentWorkoutName: $0.speakableString) }.first
            ?? WorkoutType(intentWorkoutName: name)
    }
}
