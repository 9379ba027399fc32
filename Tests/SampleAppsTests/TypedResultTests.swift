import IntentKit
import Testing

@Suite("Typed results of reads and effects")
struct TypedResultTests {
    private struct LiftedSet: Codable, Hashable {
        enum Equipment: String, Codable { case barbell, dumbbell }

        var reps: Int
        var weight: Double
        var isWarmUp: Bool
        var equipment: Equipment?
        var tags: [String]
    }

    private static let table = StoreMigration(
        "typed/1",
        sql: """
            CREATE TABLE lifted (
                reps INTEGER NOT NULL, weight REAL NOT NULL, isWarmUp INTEGER NOT NULL, equipment TEXT, tags TEXT NOT NULL
            ) STRICT
            """
    )

    private static func insert(_ reps: Int, equipment: JSONValue, into store: any StoreTransaction) throws {
        try store.execute(
            "INSERT INTO lifted (reps, weight, isWarmUp, equipment, tags) VALUES (?, ?, ?, ?, ?)",
            [.integer(Int64(reps)), .number(80), .bool(reps > 5), equipment, ["heavy", "paused"]]
        )
    }

    @Test("Rows are decoded: numbers, booleans, enumerations, optional values, lists")
    func rowsDecodeToValues() throws {
        let store = try TestStore([Self.table])
        let sets = try store.write { transaction in
            try Self.insert(5, equipment: "barbell", into: transaction)
            try Self.insert(8, equipment: .null, into: transaction)
            return try transaction.query("SELECT * FROM lifted ORDER BY reps", as: LiftedSet.self)
        }
        let first = LiftedSet(reps: 5, weight: 80, isWarmUp: false, equipment: .barbell, tags: ["heavy", "paused"])
        let second = LiftedSet(reps: 8, weight: 80, isWarmUp: true, equipment: nil, tags: ["heavy", "paused"])
        #expect(sets == [first, second])
    }

    @Test("A single column is decoded as a text, a number, a boolean, or null")
    func columnsDecodeToValues() throws {
        let store = try TestStore([Self.table])
        try store.write { transaction in
            try Self.insert(5, equipment: .null, into: transaction)
            #expect(try transaction.query("SELECT count(*) FROM lifted", as: Int.self) == [1])
            #expect(try transaction.query("SELECT weight FROM lifted", as: Double.self) == [80])
            #expect(try transaction.query("SELECT reps FROM lifted", as: Double.self) == [5])
            #expect(try transaction.query("SELECT isWarmUp FROM lifted", as: Bool.self) == [false])
            #expect(try transaction.query("SELECT tags FROM lifted", as: [String].self) == [["heavy", "paused"]])
            #expect(try transaction.query("SELECT max(equipment) FROM lifted", as: String?.self) == [nil])
            #expect(try transaction.query("SELECT reps FROM lifted WHERE reps > ?", [9], as: Int.self).isEmpty)
        }
    }

    @Test("A row that does not fit is an error that names the column")
    func unfitRowNamesColumn() throws {
        struct Wanting: Decodable { var rounds: Int }
        struct Wordy: Decodable { var reps: String }
        let store = try TestStore([Self.table])
        try store.write { transaction in
            try Self.insert(5, equipment: .null, into: transaction)
            let missing = #expect(throws: DecodingError.self) {
                try transaction.query("SELECT reps FROM lifted", as: Wanting.self)
            }
            #expect("\(try #require(missing))".contains("rounds"))
            let wrong = #expect(throws: DecodingError.self) {
                try transaction.query("SELECT reps, weight FROM lifted", as: Wordy.self)
            }
            #expect("\(try #require(wrong))".contains("reps"))
            #expect(throws: DecodingError.self) { try transaction.query("SELECT 300", as: UInt8.self) }
            #expect(throws: DecodingError.self) { try transaction.query("SELECT 2", as: Bool.self) }
        }
    }

    @Test("Details are encoded from a value; one that is not an object is an error")
    func detailsAreEncodedObjects() throws {
        let set = LiftedSet(reps: 5, weight: 80.5, isWarmUp: true, equipment: .dumbbell, tags: [])
        #expect(
            try JSONObject.encoding(set) == [
                "equipment": "dumbbell", "isWarmUp": true, "reps": 5, "tags": [], "weight": 80.5,
            ]
        )
        #expect(throws: EncodingError.self) { try JSONObject.encoding([1, 2]) }
        #expect(throws: EncodingError.self) { try JSONObject.encoding("text") }
    }

    @Test("Effects and reads without a result are performed, and journaled as null")
    func voidResultsAreJournaledAsNull() async throws {
        let store = try TestStore([Self.table])
        let host = TestTurnHost(store: store)
        let context = TurnContext.testing(host)
        try await context.effect("log") { store in
            try Self.insert(5, equipment: .null, into: store)
            try Self.insert(6, equipment: .null, into: store)
        }
        try await context.effect("log more") { try Self.insert(7, equipment: .null, into: $0) }
        try await context.read("look") { store in
            let count = try store.query("SELECT count(*) FROM lifted", as: Int.self)[0]
            guard count == 3 else { throw CancellationError() }
        }
        try await context.run("knock") {}
        #expect(host.reads == ["look", "knock"])
        let journaled = try await host.effect("none") { _ in .null }
        #expect(journaled == .null)
        // The Int that `execute` returns is a result, as before.
        let changed = try await context.effect("clear") { try $0.execute("DELETE FROM lifted", []) }
        #expect(changed == 3)
    }

    @Test(
        "A result is journaled as JSONEncoder writes it",
        arguments: ["", "a \"b\" \\ \u{0} \u{1F600} é /", "2026-11-22"]
    )
    func resultsAreJournaledLikeJSONEncoder(text: String) async throws {
        let host = TestTurnHost(store: try TestStore())
        let context = TurnContext.testing(host)
        let optional: String? = text
        #expect(try await context.run("text") { text } == text)
        #expect(try await context.run("optional") { optional } == text)
        #expect(try await context.run("nothing") { nil as String? } == nil)
        #expect(try await context.run("number") { Int.min } == .min)
        #expect(try await context.run("number") { Int64.max } == .max)
        #expect(try await context.run("number") { 80.0 } == 80)
        #expect(try await context.run("yes") { true })
    }
}
