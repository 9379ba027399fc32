import IntentEvents
import IntentKit
import IntentRuntime

extension Event {
    /// The event in the form in which a client sends it: binary mode, keyed by user, to the user's home partition (R1).
    func request(prefix: String, partitions: Int) -> OutgoingRecord {
        OutgoingRecord(
            topicPartition: TopicPartition(
                Topic.requests.name(prefix: prefix),
                HomePartition.of(user: self.userID, count: partitions)
            ),
            content: self.content
        )
    }
}
