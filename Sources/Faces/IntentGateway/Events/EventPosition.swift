internal import IntentEvents
internal import IntentRuntime

/// A place among the events of a user: the next offsets of the user's partition of `responses` and `user-activities`.
///
/// Its text is opaque to clients. It is valid in every replica, as long as the topics hold what follows it.
package struct EventPosition: Hashable, Sendable, CustomStringConvertible {
    /// The first characters of the deployment's id: topics that were made again have other offsets.
    var deployment: String
    var responses: Int64
    var activities: Int64

    private static let deploymentCount = 12
    private static let maximumCount = 64

    init(_ deployment: Deployment, responses: Int64, activities: Int64) {
        self.deployment = String(deployment.id.prefix(Self.deploymentCount))
        self.responses = responses
        self.activities = activities
    }

    /// Reads the text of a position; nil for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.maximumCount, parts.count == 3,
            let responses = Int64(parts[1]), let activities = Int64(parts[2]), responses >= 0, activities >= 0,
            parts[0].utf8.allSatisfy({ 48...57 ~= $0 || 97...102 ~= $0 })
        else { return nil }
        self.deployment = String(parts[0])
        self.responses = responses
        self.activities = activities
    }

    package var description: String { "\(self.deployment).\(self.responses).\(self.activities)" }

    /// Whether it is of these topics.
    func fits(_ deployment: Deployment) -> Bool {
        self.deployment == String(deployment.id.prefix(Self.deploymentCount))
    }

    /// The next offset on a topic of events.
    subscript(_ topic: Topic) -> Int64 {
        get { topic == .responses ? self.responses : self.activities }
        set { if topic == .responses { self.responses = newValue } else { self.activities = newValue } }
    }

    /// The topics with users' events.
    static let topics: [Topic] = [.responses, .userActivities]
}
