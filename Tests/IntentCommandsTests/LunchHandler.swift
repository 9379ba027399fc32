import IntentKit

/// The lunch of `Tests/Examples/PythonService`, in Swift.
struct OrderLunch: Intent {
    enum Code: String, IntentResponseCode { case ready, success, failure, failureKitchenClosed }

    static let intentName = "OrderLunch"

    /// The restaurant.
    @Parameter var restaurant: String?
    /// The dishes.
    @Parameter(dependsOn: [\Self.$restaurant]) var dishes: [String]?
    /// The time.
    @Parameter var time: TimeOfDay?
}

/// Orders lunch as `lunch.py` does, into a store of intentd's own.
struct OrderLunchHandler: IntentHandler {
    /// The reason why a dish is refused.
    enum DishReason: Int, UnsupportedReason {
        /// They do not have it.
        case notOnMenu = 10
    }

    var handling: Handling<OrderLunch> {
        Resolve(\.$restaurant) { said, _ in
            guard let said, !said.isMissing else { return .needsValue() }
            let names = Self.found(said).map(\.name)
            return names.count == 1 ? .success(with: names[0]) : .disambiguation(with: names)
        }

        Resolve(\.$dishes, reasons: DishReason.self) { said, intent, _ in
            guard let said, !said.isEmpty else { return [.needsValue()] }
            let menu = Self.found(intent.restaurant ?? "").flatMap(\.menu)
            return said.map { menu.contains($0) ? .success(with: $0) : .unsupported(forReason: .notOnMenu) }
        }

        Resolve(\.$time) { said, _ in said.map { .success(with: $0) } ?? .needsValue() }

        Confirm { intent, _ in
            IntentResponse(
                code: (intent.time?.text ?? "") < "22:00" ? .ready : .failureKitchenClosed,
                details: [
                    "restaurant": intent.restaurant?.json ?? .null,
                    "dishes": .array((intent.dishes ?? []).map(\.json)),
                    "time": intent.time?.json ?? .null,
                ],
                requiresUserConfirmation: true
            )
        }

        Handle { intent, context in
            let order = JSONValue.array([intent.restaurant?.json ?? .null, .array((intent.dishes ?? []).map(\.json))])
            let number = try await context.effect("order") { store in
                try store.execute("INSERT INTO orders VALUES (?)", [.string(order.description)])
                return try store.query("SELECT count(*) AS number FROM orders", []).first?["number"]?.integer ?? 0
            }
            return IntentResponse(code: .success, details: ["order": .integer(number)])
        }
    }

    /// The intent with the table that its effects write to.
    static var lunches: IntentExtension {
        IntentExtension(
            "Lunches",
            migrations: [StoreMigration("lunches", sql: "CREATE TABLE orders (lunch TEXT NOT NULL)")]
        ) {
            IntentRegistration { OrderLunchHandler() }
        }
    }

    private static let menus: KeyValuePairs = [
        "Luigi's Grill": ["burger", "salad"], "Luigi's Kitchen": ["pasta", "salad"], "Old Mill": ["soup"],
    ]

    private static func found(_ words: String) -> [(name: String, menu: [String])] {
        Self.menus.filter { $0.key.lowercased().contains(words.lowercased()) }.map { ($0.key, $0.value) }
    }
}
