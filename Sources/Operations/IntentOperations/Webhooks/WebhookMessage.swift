package import IntentEvents
internal import IntentKit
package import IntentRuntime

/// An event with the id under which it is posted: the same each time, so that receivers can drop repetitions (R88).
package struct WebhookMessage: Hashable, Sendable {
    package var id: String
    package var body: [UInt8]

    private static let deploymentCount = 12

    /// The message of an event at a position.
    ///
    /// The deployment is part of the id, because topics that were made again have the same positions. Dots separate the
    /// parts of what is signed, so the id has none.
    package init(_ event: UserEvent, at position: RecordPosition, of deployment: Deployment) {
        let deployment = deployment.id.prefix(Self.deploymentCount)
        self.id = "evt_\(deployment)_\(position.topic.rawValue)_\(position.partition)_\(position.offset)"
        self.body = event.json
    }

    /// The message of a dead letter; nil where it holds no event that is posted.
    init?(_ letter: DeadLetter, of deployment: Deployment) {
        let headers = letter.headers
        guard case .success(let event) = letter.event,
            let topic = headers.topic.flatMap({ Topic(name: TopicName($0), prefix: deployment.prefix) }),
            let partition = headers.partition.flatMap(Int.init(exactly:)), let offset = headers.offset
        else { return nil }
        let body = headers.isCut ? event.data.utf8 : UserEvent.body(of: letter.record.content, event)
        guard let event = UserEvent(event, body: body) else { return nil }
        self.init(event, at: RecordPosition(topic, partition, offset), of: deployment)
    }
}
