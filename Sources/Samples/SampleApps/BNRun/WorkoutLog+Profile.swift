public import IntentKit

extension WorkoutLog {
    /// Sets whether the user has to finish something in the app before workouts can be recorded, such as letting it
    /// read the motion sensors.
    ///
    /// - Throws: What the store throws.
    public func setNeedsSetUp(_ needsSetUp: Bool, in store: any StoreTransaction) throws {
        try store.execute(
            "INSERT OR REPLACE INTO workout_profiles (user_id, needs_set_up) VALUES (?, ?)",
            [.string(self.userID), .bool(needsSetUp)]
        )
    }

    /// Whether the user must finish something in the app first; false for a user without a profile.
    ///
    /// - Throws: What the store throws.
    public func needsSetUp(in store: any StoreTransaction) throws -> Bool {
        let rows = try store.query(
            "SELECT needs_set_up FROM workout_profiles WHERE user_id = ?",
            [.string(self.userID)]
        )
        return rows.first?["needs_set_up"] == 1
    }
}
