public import SiriKitIntents

/// The goal of a workout: a distance, a time or an amount of energy.
public struct WorkoutGoal: Hashable, Sendable, Codable {
    enum Dimension: Hashable, Sendable {
        /// Metres.
        case distance
        /// Seconds.
        case time
        /// Joules.
        case energy
    }

    public var value: Double
    public var unit: INWorkoutGoalUnitType

    /// Whether a workout of that kind can have this goal.
    func fits(_ type: WorkoutType) -> Bool {
        guard let measure = self.unit.measure, let limit = type.limit(of: measure.dimension) else { return false }
        return self.value > 0 && self.value * measure.factor <= limit
    }
}

extension INWorkoutGoalUnitType {
    /// The dimension that the unit measures, and its factor to the base unit; nil for what BNRun does not measure.
    var measure: (dimension: WorkoutGoal.Dimension, factor: Double)? {
        switch self {
        case .unknown, .inch: nil
        case .meter: (.distance, 1)
        case .foot: (.distance, 0.3048)
        case .yard: (.distance, 0.9144)
        case .mile: (.distance, 1_609.344)
        case .second: (.time, 1)
        case .minute: (.time, 60)
        case .hour: (.time, 3_600)
        case .joule: (.energy, 1)
        case .kiloCalorie: (.energy, 4_184)
        }
    }

    /// Whether the goal of a workout of that kind can be given in this unit.
    func fits(_ type: WorkoutType) -> Bool { self.measure.map { type.limit(of: $0.dimension) != nil } ?? false }
}
