/// The deployment's database, inside a transaction: what effects write to and reads read from.
///
/// Values are passed and returned as JSON values: null, booleans (as 0 and 1), integers, numbers and strings; arrays
/// and objects are stored as their JSON text.
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
    /// SQL statements, separated by semicolons.
    public var sql: String

    /// Describes a step.
    public init(_ name: String, sql: String) {
        self.name = name
        self.sql = sql
    }
}
