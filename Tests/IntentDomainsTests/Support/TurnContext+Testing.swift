import Foundation
import IntentKit

extension TurnContext {
    /// The time of every test turn: 2026-11-21T12:30:00Z.
    static let testTime = Date(timeIntervalSince1970: 1_795_264_200)

    /// A context of a turn over a test host.
    static func testing(
        _ host: TestTurnHost,
        user: RequestingUser = RequestingUser(id: "u1"),
        script: String? = nil
    ) -> TurnContext {
        TurnContext(
            interactionID: "i1",
            groupIdentifier: nil,
            user: user,
            device: RequestingDevice(),
            locale: "en-US",
            now: Self.testTime,
            attempt: 1,
            script: script,
            host: host
        )
    }
}
