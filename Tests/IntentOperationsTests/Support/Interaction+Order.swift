import IntentEvents
import IntentKit
import IntentRuntime

extension Interaction {
    /// An open order of a user.
    static func order(
        _ id: InteractionID,
        of user: UserID,
        request: RequestID,
        startedAt: Int64 = 1_000,
        _ parameters: JSONObject = [:]
    ) -> Interaction {
        Interaction(
            id: id,
            request: request,
            startedAt: Timestamp(milliseconds: startedAt),
            user: RequestingUser(id: user.text),
            device: RequestingDevice(),
            locale: "en-US",
            intent: IntentSnapshot(name: "Order", parameters: parameters)
        )
    }
}

extension HandleWait {
    /// The wait of an order after three attempts.
    static func order(_ reason: Reason) -> HandleWait {
        HandleWait(
            reason,
            at: Timestamp(milliseconds: 90_000),
            attempts: 3,
            firstTriedAt: Timestamp(milliseconds: 1_500),
            position: RecordPosition(.confirmed, 0, 4)
        )
    }
}
