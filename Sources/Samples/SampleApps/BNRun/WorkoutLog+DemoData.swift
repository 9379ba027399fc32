public import IntentKit

extension WorkoutLog {
    /// Gives a user of a demo or a test an empty log, and an app that is set up.
    ///
    /// - Throws: What the store throws.
    public static func addDemoData(for userID: String, in store: any StoreTransaction) throws {
        for table in ["workouts", "workout_orders", "workout_profiles"] {
            try store.execute("DELETE FROM \(table) WHERE user_id = ?", [.string(userID)])
        }
    }
}
