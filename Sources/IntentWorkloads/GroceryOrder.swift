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
    /// The parameters, in the order in which they are resolved.
    package static let parameters: [IntentParameter<Self>] = [
        .init("items", \.items), .init("address", \.address), .init("note", \.note),
    ]

    /// What is ordered.
    var items: [String]?
    /// Where it is brought.
    var address: String?
    /// What the driver should know.
    var note: String?

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
