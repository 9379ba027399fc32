import IntentKit

/// Handles an order: asks which milk is meant and where to bring it, asks for a yes, and stores the order.
struct GroceryOrderHandler: IntentHandler {
    var handling: Handling<GroceryOrder> {
        Resolve(by: self.resolveItems, \.$items)
        Resolve(by: self.resolveAddress, \.$address)
        Confirm(self.confirm)
        Handle(self.handle)
    }

    /// The possible meanings of milk.
    private static let milk = ["whole milk", "oat milk"]

    func resolveItems(
        for intent: GroceryOrder,
        with context: TurnContext
    ) async throws -> [INStringResolutionResult] {
        guard let items = intent.items, !items.isEmpty else { return [.needsValue()] }
        return items.map { $0 == "milk" ? .disambiguation(with: Self.milk) : .success(with: $0) }
    }

    func resolveAddress(
        for intent: GroceryOrder,
        with context: TurnContext
    ) async throws -> INStringResolutionResult {
        intent.address.map { .success(with: $0) } ?? .needsValue()
    }

    func confirm(intent: GroceryOrder, context: TurnContext) async throws -> IntentResponse<GroceryOrder> {
        let details: JSONObject = ["items": .integer(Int64(intent.items?.count ?? 0)), "price": "12.40"]
        return IntentResponse(code: .ready, details: details, requiresUserConfirmation: true)
    }

    func handle(intent: GroceryOrder, context: TurnContext) async throws -> IntentResponse<GroceryOrder> {
        let (user, count) = (context.user.id, intent.items?.count ?? 0)
        let number = try await context.effect("order") { store in
            try store.execute(
                "INSERT INTO orders (user, items) VALUES (?, ?)",
                [.string(user), .integer(Int64(count))]
            )
            return try store.query("SELECT last_insert_rowid() AS id", [])[0]["id"]?.integer ?? 0
        }
        return IntentResponse(code: .success, details: ["order": .integer(number)])
    }
}
