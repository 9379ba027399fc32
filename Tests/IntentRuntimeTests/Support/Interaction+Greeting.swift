import IntentEvents
import IntentKit

@testable import IntentRuntime

extension Interaction {
    /// The interaction `i1` of the user `u1`, who wants a greeting; its request is `0:7`.
    static func greeting(_ parameters: JSONObject = [:]) -> Interaction {
        Interaction(
            id: "i1",
            request: "0:7",
            startedAt: Timestamp(milliseconds: 0),
            user: RequestingUser(id: "u1"),
            device: RequestingDevice(),
            locale: "en-US",
            intent: IntentSnapshot(name: "GreetIntent", parameters: parameters)
        )
    }
}
