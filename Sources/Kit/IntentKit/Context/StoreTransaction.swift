/// The deployment's database, inside a transaction: what effects write to and reads read from.
///
/// Values are passed and returned as JSON values: null, booleans (as 0 and 1), integers, numbers and strings; arrays
/// and objects are stored as their JSON text.
///
/// The statements are SQLite's or PostgreSQL's, whichever keeps the ledger. `$1` is the first argument in both, `$2` the
/// second; SQLite also knows `?`. On PostgreSQL a statement that fails fails the effect or read, even if the body
/// catches the error.
public protocol StoreTransaction {
    /// Runs a statement and returns how many rows it changed.
    @discardableResult
    func execute(_ sql: String, _ arguments: [JSONValue]) throws -> Int

    /// Runs a query and returns its rows, each by column name.
    func query(_ sql: String, _ arguments: [JSONValue]) throws -> [JSONObject]
}

/// A step of a store's tables, applied once to each database, in order.
public struct StoreMigration: Sendable {
    /// The step's name, unique in the deployment, never changed once released: `messages/1`.
    ///
    /// Extensions that share tables each list the same step; it is applied once.
    public var name: String
    /// SQL statements for SQLite, separated by semicolons.
    public var sql: String
    /// The same for PostgreSQL; nil when the extension's handlers need SQLite.
    public var postgreSQL: String?

    public init(_ name: String, sql: String, postgreSQL: String? = nil) {
        self.name = name
        self.sql = sql
        self.postgreSQL = postgreSQL
    }
}
