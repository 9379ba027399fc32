import IntentKit

/// The lunch of `Tests/Examples/PythonService`, in Swift.
struct OrderLunch: Intent {
    enum Code: String, IntentResponseCode { case ready, success, failure, failureKitchenClosed }

    static let intentName = "OrderLunch"

    /// From where.
    var restaurant: String?
    /// What.
    var dishes: [String]?
    /// When.
    var time: TimeOfDay?

    static let parameters: [IntentParameter<Self>] = [
        .init("restaurant", \.restaurant),
        .init("dishes", \.dishes, dependsOn: ["restaurant"]),
        .init("time", \.time),
    ]
}

/// Orders lunch as `lunch.py` does, into a store of intentd's own.
struct OrderLunchHandler: IntentHandler {
    /// Why a dish is not taken.
    enum DishReason: Int, UnsupportedReason {
        /// They do not have it.
        case notOnMenu = 10
    }

    static let resolvers: [ParameterResolver<Self>] = [
        .init(\.restaurant, using: Self.resolveRestaurant),
        .init(\.dishes, using: Self.resolveDishes),
        .init(\.time, using: Self.resolveTime),
    ]

    /// The intent with the table that its effects go to.
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

    func resolveRestaurant(for intent: OrderLunch, with context: TurnContext) async throws -> INStringResolutionResult {
        guard let words = intent.restaurant, !words.isMissing else { return .needsValue() }
        let names = Self.found(words).map(\.name)
        return names.count == 1 ? .success(with: names[0]) : .disambiguation(with: names)
    }

    func resolveDishes(
        for intent: OrderLunch,
        with context: TurnContext
    ) async throws -> [ParameterResolution<String, DishReason>] {
        guard let dishes = intent.dishes, !dishes.isEmpty else { return [.needsValue()] }
        let menu = Self.found(intent.restaurant ?? "").flatMap(\.menu)
        return dishes.map { menu.contains($0) ? .success(with: $0) : .unsupported(forReason: .notOnMenu) }
    }

    func resolveTime(
        for intent: OrderLunch,
        with context: TurnContext
    ) async throws -> ParameterResolution<TimeOfDay, NoReason> {
        intent.time.map { .success(with: $0) } ?? .needsValue()
    }

    func confirm(intent: OrderLunch, context: TurnContext) async throws -> IntentResponse<OrderLunch> {
        let isOpen = (intent.time?.text ?? "") < "22:00"
        let details: JSONObject = [
            "restaurant": intent.restaurant?.json ?? .null, "dishes": .array((intent.dishes ?? []).map(\.json)),
            "time": intent.time?.json ?? .null,
        ]
        return IntentResponse(
            code: isOpen ? .ready : .failureKitchenClosed,
            details: details,
            requiresUserConfirmation: true
        )
    }

    func handle(intent: OrderLunch, context: TurnContext) async throws -> IntentResponse<OrderLunch> {
        let order = JSONValue.array([intent.restaurant?.json ?? .null, .array((intent.dishes ?? []).map(\.json))])
        let number = try await context.effect("order") { store in
            try store.execute("INSERT INTO orders VALUES (?)", [.string(order.description)])
            return try store.query("SELECT count(*) AS number FROM orders", []).first?["number"]?.integer ?? 0
        }
        return IntentResponse(code: .success, details: ["order": .integer(number)])
    }
}
