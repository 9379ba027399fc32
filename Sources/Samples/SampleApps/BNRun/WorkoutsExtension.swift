public import IntentKit

/// The BNRun extension: starts, pauses, resumes, ends and cancels workouts in the app, and keeps a log of them.
public enum WorkoutsExtension {
    /// The first version of BNRun that starts workouts in the background.
    public static let firstVersionInBackground: AppVersion = "1.10"

    /// Creates the extension.
    ///
    /// - Parameters:
    ///   - backgroundVersion: The first version of the app that acts in the background and reports; older ones are
    ///     opened instead (behaviour 56).
    ///   - confirmation: The policy that decides whether the user is asked. Starting a run is neither financial nor
    ///     irrevocable, so BNRun itself does not ask (behaviour 45).
    /// - Returns: The extension, with the tables that it needs.
    public static func make(
        backgroundVersion: AppVersion = Self.firstVersionInBackground,
        confirmation: ConfirmationPolicy = .byHandler
    ) -> IntentExtension {
        IntentExtension("BNRun", migrations: Self.migrations, addDemoData: WorkoutLog.addDemoData(for:in:)) {
            IntentRegistration(confirmation: confirmation) {
                BNRStartWorkoutIntentHandler(backgroundVersion: backgroundVersion)
            }
            IntentRegistration(confirmation: confirmation) {
                BNRPauseWorkoutIntentHandler(backgroundVersion: backgroundVersion)
            }
            IntentRegistration(confirmation: confirmation) {
                BNRResumeWorkoutIntentHandler(backgroundVersion: backgroundVersion)
            }
            IntentRegistration(confirmation: confirmation) {
                BNREndWorkoutIntentHandler(backgroundVersion: backgroundVersion)
            }
            IntentRegistration(confirmation: confirmation) {
                BNRCancelWorkoutIntentHandler(backgroundVersion: backgroundVersion)
            }
        }
    }

    static let migrations = [
        StoreMigration(
            "workouts/1",
            sql: """
                CREATE TABLE workouts (
                    identifier TEXT NOT NULL PRIMARY KEY,
                    user_id TEXT NOT NULL,
                    type TEXT NOT NULL,
                    goal_value REAL,
                    goal_unit TEXT,
                    location TEXT,
                    state TEXT NOT NULL,
                    requested_at TEXT NOT NULL,
                    started_at TEXT,
                    resumed_at TEXT,
                    ended_at TEXT,
                    active_seconds REAL NOT NULL DEFAULT 0
                ) STRICT;
                CREATE INDEX workouts_by_user ON workouts (user_id, started_at);
                CREATE UNIQUE INDEX one_workout_under_way ON workouts (user_id) WHERE state IN ('running', 'paused');
                CREATE TABLE workout_orders (
                    number INTEGER PRIMARY KEY,
                    user_id TEXT NOT NULL,
                    interaction TEXT NOT NULL,
                    order_name TEXT NOT NULL,
                    workout TEXT NOT NULL,
                    handed_at TEXT NOT NULL,
                    code TEXT,
                    answered_at TEXT
                ) STRICT;
                CREATE INDEX workout_orders_by_interaction ON workout_orders (user_id, interaction);
                CREATE TABLE workout_profiles (
                    user_id TEXT NOT NULL PRIMARY KEY,
                    needs_set_up INTEGER NOT NULL
                ) STRICT;
                """
        )
    ]
}
