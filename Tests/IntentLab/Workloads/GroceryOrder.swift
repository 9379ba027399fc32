package import IntentKit

/// The intent of a measured conversation: a list to resolve, two prompts, a confirmation, an effect.
package struct GroceryOrder: Intent {
    /// The handler's codes.
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

    /// The ordered items.
    @Parameter var items: [String]?
    /// The delivery address.
    @Parameter var address: String?
    /// A note for the driver.
    @Parameter var note: String?

    /// Creates an empty order.
    package init() {}

    /// A registry with the intent alone.
    package static func registry() throws -> IntentRegistry {
        try IntentRegistry([
            IntentExtension("Groceries", migrations: [Self.migration]) {
                IntentRegistration { GroceryOrderHandler() }
            }
        ])
    }

    /// The table of orders.
    package static let migration = StoreMigration(
        "groceries/1",
        sql: "CREATE TABLE orders (id INTEGER PRIMARY KEY, user TEXT NOT NULL, items INTEGER NOT NULL) STRICT"
    )
}
