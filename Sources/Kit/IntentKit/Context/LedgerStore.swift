/// An effect ledger with its tables: what a program's workers, `records prune` and `audit verify` need of one (R31).
///
/// intentd has one over SQLite, for one machine, and one over PostgreSQL, for several. A program hands another one in
/// as a ``LedgerSource``. Beside the handlers' tables it has its own, which intentd reads and prunes with statements that
/// SQLite and PostgreSQL both understand:
///
/// - `effects` (`request`, `name`, `ordinal`, `result`, `at`): an effect that was made; `result` is JSON, `at` is in
///   milliseconds since 1970;
/// - `undone_effects` (`request`, `name`, `ordinal`, `undone_by`, `round`, `result`, `undo_result`, `made_at`,
///   `undone_at`): an effect that was undone, by the request of the interaction that did it and in which round;
/// - `undoable` (`request`, `origin`, `user_id`, `interaction`, `intent`, `effects`, `at`, `until`, `undone_by`): an
///   interaction that its user may undo (``EffectLedger/end(request:origin:identity:offering:)``); `intent` and `effects`
///   are JSON, and `undone_by` is the request of the interaction that has undone it, or NULL;
/// - `closed_ledgers` (`request`, `at`): an interaction that has ended;
/// - `deployment` (`identifier`, `prefix`): one row at most, the deployment that the store belongs to;
/// - `cuts` (`before`, `document`), ordered by `number`: what was removed on purpose.
///
/// Texts are compared and sorted by their UTF-8.
public protocol LedgerStore: EffectLedger {
    /// Where it is, for messages. It never holds a password.
    var place: String { get }

    /// Runs a body in a transaction, and returns when that is on disk.
    ///
    /// The body may run again: when its transaction was rolled back, or when it is unknown whether it was committed.
    /// - Throws: What the body throws (nothing is written then); a ``TransientError`` when the database is busy.
    func write(_ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue) async throws -> JSONValue
}

/// Opens ledgers at addresses of one scheme, such as `postgresql://db.example/gym` (the setting `ledger`).
public struct LedgerSource: Sendable {
    /// The scheme of the addresses that it opens: `postgresql`.
    public var scheme: String
    /// Opens the ledger at an address.
    ///
    /// The migrations are the handlers' tables, each applied once to a database, however many workers start at once.
    /// Without them nothing is created or changed: the ledger is opened for reading.
    public var open: @Sendable (_ address: String, _ migrations: [StoreMigration]?) async throws -> any LedgerStore

    public init(
        scheme: String,
        open: @escaping @Sendable (_ address: String, _ migrations: [StoreMigration]?) async throws -> any LedgerStore
    ) {
        self.scheme = scheme
        self.open = open
    }
}
