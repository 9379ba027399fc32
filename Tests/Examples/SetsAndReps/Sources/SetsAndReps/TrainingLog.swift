import IntentKit

/// The table of sets, inside a transaction.
struct TrainingLog {
    /// One set as it was lifted.
    struct LiftedSet: Codable, Hashable, Sendable {
        var reps: Int
        /// In kilograms.
        var weight: Double

        /// What could be lifted once (Epley's formula).
        var estimatedMaximum: Double { self.reps == 1 ? self.weight : self.weight * (1 + Double(self.reps) / 30) }
    }

    static let migrations = [
        StoreMigration(
            "sets-and-reps/1",
            sql: """
                CREATE TABLE sets (
                    id INTEGER PRIMARY KEY, user_id TEXT NOT NULL, exercise TEXT NOT NULL, reps INTEGER NOT NULL,
                    weight REAL NOT NULL
                );
                CREATE INDEX sets_of_user ON sets (user_id, exercise)
                """,
            postgreSQL: """
                CREATE TABLE sets (
                    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_id bytea NOT NULL, exercise text NOT NULL,
                    reps bigint NOT NULL, weight double precision NOT NULL
                );
                CREATE INDEX sets_of_user ON sets (user_id, exercise)
                """
        )
    ]

    private let store: any StoreTransaction

    init(_ store: any StoreTransaction) {
        self.store = store
    }

    func add(_ set: LiftedSet, of exercise: String, user: String) throws {
        try self.store.execute(
            "INSERT INTO sets (user_id, exercise, reps, weight) VALUES ($1, $2, $3, $4)",
            [.string(user), .string(exercise), .integer(Int64(set.reps)), .number(set.weight)]
        )
    }

    func count(of exercise: String, user: String) throws -> Int {
        try self.store
            .query(
                "SELECT count(*) FROM sets WHERE user_id = $1 AND exercise = $2",
                [.string(user), .string(exercise)],
                as: Int.self
            )[0]
    }

    func lastWeight(of exercise: String, user: String) throws -> Double? {
        try self.store
            .query(
                "SELECT weight FROM sets WHERE user_id = $1 AND exercise = $2 ORDER BY id DESC LIMIT 1",
                [.string(user), .string(exercise)],
                as: Double.self
            )
            .first
    }

    /// The set that says most about the user's strength.
    func best(of exercise: String, user: String) throws -> LiftedSet? {
        try self.store
            .query(
                "SELECT reps, weight FROM sets WHERE user_id = $1 AND exercise = $2",
                [.string(user), .string(exercise)],
                as: LiftedSet.self
            )
            .max { $0.estimatedMaximum < $1.estimatedMaximum }
    }
}
