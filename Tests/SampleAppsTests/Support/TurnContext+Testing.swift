import Foundation
import IntentKit

extension TurnContext {
    /// The time of every test turn: 2026-11-21T12:30:00Z.
    static let testTime = Date(timeIntervalSince1970: 1_795_264_200)

    /// A context of a turn over a test host.
    static func testing(
        _ host: TestTurnHost,
        interactionID: String = "i1",
        user: RequestingUser = RequestingUser(id: "u1"),
        device: RequestingDevice = RequestingDevice(),
        now: Date = Self.testTime,
        script: String? = nil
    ) -> TurnContext {
        TurnContext(
            interactionID: interactionID,
            groupIdentifier: nil,
            user: user,
            device: device,
            locale: "en-US",
            now: now,
            attempt: 1,
            script: script,
            host: host
        )
    }
}
