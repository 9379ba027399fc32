import IntentKit

/// An intent whose effects are undone.
struct TripIntent: Intent {
    enum Code: String, IntentResponseCode {
        case ready, inProgress, success, failure, handleInApp
    }

    @Parameter var day: String?
}

/// Handles a trip as a test says; flight and hotel can be undone, and a note cannot.
struct TripHandler: IntentHandler {
    let handle: @Sendable (TripIntent, TurnContext) async throws -> IntentResponse<TripIntent>
    /// Undoes an effect, or throws.
    let undo: @Sendable (_ what: String, UndoContext) throws -> Void

    var handling: Handling<TripIntent> {
        Handle { try await self.handle($0, $1) }
        Undo("flight") { (number: Int, intent, context, store) in
            try self.undo("flight \(number) on \(intent.day ?? "")", context)
        }
        Undo(
            "hotel",
            calling: { (number: Int, intent, context) in
                try self.undo("call \(number)", context)
                return "receipt"
            },
            then: { (receipt: String, number: Int, intent, context, store) in
                try self.undo("hotel \(number) \(receipt)", context)
            }
        )
    }
}
