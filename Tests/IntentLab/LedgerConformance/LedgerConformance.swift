internal import Dispatch
package import IntentKit

/// Checks everything that `EffectLedger` and `LedgerStore` promise, on any ledger.
///
/// Each ``Check`` needs a database of its own.
package struct LedgerConformance: Sendable {
    /// One promise and its test.
    package struct Check: Sendable, CustomStringConvertible {
        /// The promise, in a few words.
        package let name: String
        /// Throws when the promise is not kept.
        let body: @Sendable (LedgerConformance) async throws -> Void

        /// The promise.
        package var description: String { self.name }

        /// All checks.
        package static let all: [Check] =
            Self.effects + Self.ends + Self.rounds + Self.undos + Self.histories + Self.statements + Self.migrations
            + Self.housekeeping
    }

    /// Opens the database with these migrations, as another process would.
    package let open: @Sendable ([StoreMigration]) async throws -> any LedgerStore

    /// Prepares to check a ledger.
    package init(open: @escaping @Sendable ([StoreMigration]) async throws -> any LedgerStore) { self.open = open }

    /// Runs one check.
    /// - Throws: ``ConformanceFailure`` when the promise is not kept, or the ledger's own error.
    package func run(_ check: Check) async throws { try await check.body(self) }

    // MARK: For checks

    /// A table of what was done, in the order in which it was done.
    static let notes = StoreMigration(
        "notes/1",
        sql: "CREATE TABLE notes (number INTEGER PRIMARY KEY, text TEXT NOT NULL CHECK (text <> 'bad')) STRICT",
        postgreSQL: """
            CREATE TABLE notes (
                number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text bytea NOT NULL CHECK (text <> 'bad')
            )
            """
    )

    /// Opens the database with the table of notes.
    func opened() async throws -> any LedgerStore { try await self.open([Self.notes]) }

    /// The key of an effect.
    static func key(_ name: String = "note", _ ordinal: Int = 0, request: String = "0:1") -> EffectKey {
        EffectKey(request: request, name: name, ordinal: ordinal)
    }

    /// A body that writes a note, and returns it.
    static func writing(_ text: String) -> @Sendable (any StoreTransaction) throws -> JSONValue {
        { store in
            try store.execute("INSERT INTO notes (text) VALUES ($1)", [.string(text)])
            return .string(text)
        }
    }

    /// Makes effects that wait behind another one, and so share its connection and a transaction; gives the errors of
    /// those that failed, by number.
    static func sharing(
        _ ledger: any LedgerStore,
        _ count: Int,
        _ body: @escaping @Sendable (Int, any StoreTransaction) throws -> JSONValue
    ) async throws -> [Int: any Error] {
        let arrivals = DispatchSemaphore(value: 0)
        return try await withThrowingTaskGroup(of: (Int, (any Error)?).self) { group in
            group.addTask {
                _ = try await ledger.perform(Self.key("gate")) { _ in
                    for _ in 0..<count { try Self.wait(arrivals, "the effects that share a transaction") }
                    // It may run again.
                    for _ in 0..<count { arrivals.signal() }
                    return .null
                }
                return (-1, nil)
            }
            for number in 0..<count {
                group.addTask {
                    arrivals.signal()
                    do {
                        _ = try await ledger.perform(Self.key("note", number)) { try body(number, $0) }
                        return (number, nil)
                    } catch {
                        return (number, error)
                    }
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    /// Blocks the thread of a body; throws where nothing comes, since a test that hangs says nothing.
    static func wait(_ semaphore: DispatchSemaphore, _ what: String) throws {
        guard semaphore.wait(timeout: .now() + 60) == .success else {
            throw ConformanceFailure("A body has waited for a minute for \(what).")
        }
    }

    /// The notes, in order.
    static func notes(_ ledger: any LedgerStore) async throws -> [String] {
        let notes = try await ledger.read { store in
            .array(try store.query("SELECT text FROM notes ORDER BY number", [], as: String.self).map(JSONValue.string))
        }
        return (notes.array ?? []).compactMap(\.string)
    }

    /// Throws unless both are equal.
    static func expect<Value: Equatable>(_ found: Value, _ expected: Value, _ what: String) throws {
        guard found == expected else {
            throw ConformanceFailure("\(what): found \(found), expected \(expected)")
        }
    }

    /// Throws unless the body throws such an error.
    @discardableResult
    static func expectError<Failure: Error>(
        _ type: Failure.Type,
        _ what: String,
        _ body: () async throws -> some Sendable
    ) async throws -> Failure {
        let value: any Sendable
        do {
            value = try await body()
        } catch let error as Failure {
            return error
        }
        // Outside of `do`: where any error is expected, this one must not count as such.
        throw ConformanceFailure("\(what): it gave \(value), and should have thrown")
    }
}
