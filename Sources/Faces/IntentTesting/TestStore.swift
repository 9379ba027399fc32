public import IntentKit
internal import IntentLedger
internal import Synchronization

/// A deployment's database in memory: the tables of its extensions, and the effect ledger (R30).
///
/// It uses the same SQLite and the same code as a deployment, but writes nothing to a disk.
public final class TestStore: Sendable {
    let ledger: SQLiteLedger
    private let preparations = Mutex(0)
    private let requests = Mutex(0)

    /// Makes an empty store.
    ///
    /// - Parameter migrations: The tables, step by step, in order.
    /// - Throws: An error with SQLite's words if a migration cannot be applied.
    public init(migrations: [StoreMigration] = []) throws {
        self.ledger = try SQLiteLedger(inMemoryWith: migrations)
    }

    /// Makes an empty store with the tables of extensions.
    ///
    /// - Throws: An error with SQLite's words if a migration cannot be applied.
    public convenience init(of extensions: IntentExtension...) throws {
        try self.init(migrations: extensions.flatMap(\.migrations))
    }

    /// Reads from the store.
    ///
    /// - Returns: What the body returns.
    /// - Throws: What the body throws; writing throws.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws -> Value {
        let result = Mutex<Value?>(nil)
        _ = try await self.ledger.read { store in
            let value = try body(store)
            result.withLock { $0 = value }
            return .null
        }
        return result.withLock { $0! }
    }

    /// Writes data that exists before the test starts.
    ///
    /// - Throws: What the body throws; nothing is written then.
    public func prepare(_ body: @escaping @Sendable (any StoreTransaction) throws -> Void) async throws {
        let number = Self.next(self.preparations)
        _ = try await self.ledger.perform(EffectKey(request: "test", name: "prepared", ordinal: number)) { store in
            try body(store)
            return .null
        }
    }

    /// Puts in what an extension has for users of demos and tests.
    ///
    /// - Throws: What the extension throws.
    public func addDemoData(of extensions: IntentExtension..., for users: String...) async throws {
        let number = Self.next(self.preparations)
        try await self.ledger.addDemoData(of: extensions, for: Set(users), run: "test \(number)")
    }

    /// The position of the next request: each ``TestHandler`` on this store is an interaction of its own.
    func nextRequest() -> Int { Self.next(self.requests) }

    private static func next(_ number: borrowing Mutex<Int>) -> Int {
        number.withLock { number in
            number += 1
            return number
        }
    }
}
