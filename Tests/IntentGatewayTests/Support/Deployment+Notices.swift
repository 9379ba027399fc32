import IntentEvents
import IntentKit
import IntentRuntime

extension Deployment {
    /// An event for a user, with a number by which a test recognizes it.
    func notice(_ number: Int, to user: UserID) -> OutgoingRecord {
        let event = Event(
            id: "e\(number)",
            source: Stage.handle.source,
            type: .userNotified,
            time: SystemRuntimeClock().now,
            userID: user,
            data: ["number": .integer(Int64(number)), "user": user.json]
        )
        return OutgoingRecord(
            topicPartition: self.topicPartition(.responses, self.home(of: user)),
            content: event.content
        )
    }
}
