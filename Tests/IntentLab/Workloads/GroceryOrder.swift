package import IntentKit

/// The intent of a conversation that is measured: a list to resolve, two prompts, a confirmation, an effect.
package struct GroceryOrder: Intent {
    /// What the handler reports.
    package enum Code: String, IntentResponseCode {
        /// It can be ordered.
        case ready
        /// It is ordered.
        case success
        /// It is not ordered.
        case failure
    }

    /// Its name on the wire.
    package static let intentName = "OrderGroceries"

    /// What is ordered.
    @Parameter var items: [String]?
    /// Where it is brought.
    @Parameter var address: String?
    /// What the driver should know.
    @Parameter var note: String?

    /// An order of nothing.
    package init() {}

    /// A registry with the intent alone.
    package static func registry() throws -> IntentRegistry {
        try IntentRegistry([
            IntentExtension("Groceries", migrations: [Self.migration]) {
                IntentRegistration { GroceryOrderHandler() }
            }
        ])
    }

    /// Where orders are kept.
    package static let migration = StoreMigration(
        "groceries/1",
        sql: "CREATE TABLE orders (id INTEGER PRIMARY KEY, user TEXT NOT NULL, items INTEGER NOT NULL) STRICT"
    )
}
