import Foundation
import IntentKit

/// Books a trip in five steps, with two effects between them that can be undone, and many points at which its process can
/// be killed.
///
/// Each run of a step's or an effect's closure comes to another result.
struct BookTripHandler: IntentHandler {
    private static let steps = ["search", "compare", "search", "pay", "confirm"]
    /// The effects, by the step before which they are made.
    private static let effects = [1: "flight", 3: "hotel"]

    var handling: Handling<BookTripIntent> {
        Handle(self.handle)
        Undo("flight") { (token: String, intent, context, store) in
            try self.cancel("flight", token, context, store)
        }
        Undo(
            "hotel",
            calling: { (token: String, intent, context) in
                let points = HazardPoints(interaction: context.interactionID)
                points.reach("before call hotel")
                points.begin("call hotel")
                points.reach("in call hotel")
                return context.idempotencyKey(for: "cancel hotel")
            },
            then: { (key: String, token: String, intent, context, store) in
                try self.cancel("hotel", token, context, store)
            }
        )
    }

    func handle(intent: BookTripIntent, context: TurnContext) async throws -> IntentResponse<BookTripIntent> {
        let points = HazardPoints(interaction: context.interactionID)
        var results: [JSONValue] = []
        for (number, name) in Self.steps.enumerated() {
            if let effect = Self.effects[number] { try await self.book(effect, context, points) }
            points.reach("before step \(number)")
            let result: String = try await context.step(name) {
                points.begin("step \(number)")
                points.reach("in step \(number)")
                return UUID().uuidString
            }
            points.reach("after step \(number)")
            results.append(.string(result))
        }
        points.reach("before the end")
        return IntentResponse(
            code: intent.script == "fails" ? .failure : .success,
            details: ["steps": .array(results)]
        )
    }

    private func book(_ part: String, _ context: TurnContext, _ points: HazardPoints) async throws {
        points.reach("before \(part)")
        let _: String = try await context.effect(part) { store in
            let token = UUID().uuidString
            points.begin(part)
            try store.execute(
                "INSERT INTO bookings (interaction, part, token) VALUES ($1, $2, $3)",
                [.string(points.interaction), .string(part), .string(token)]
            )
            points.reach("in \(part)")
            return token
        }
        points.reach("after \(part)")
    }

    private func cancel(
        _ part: String,
        _ token: String,
        _ context: UndoContext,
        _ store: any StoreTransaction
    ) throws {
        let points = HazardPoints(interaction: context.interactionID)
        points.reach("before undo \(part)")
        points.begin("undo \(part)")
        try store.execute("UPDATE bookings SET cancelled = cancelled + 1 WHERE token = $1", [.string(token)])
        points.reach("in undo \(part)")
    }
}
