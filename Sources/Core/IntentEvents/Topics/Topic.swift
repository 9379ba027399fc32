/// The topics of a deployment (contract, section 1), without the prefix.
package enum Topic: String, Sendable, CaseIterable {
    /// Events of clients and apps.
    case requests
    /// Interactions with settled parameters.
    case resolved
    /// Interactions that may be handled.
    case confirmed
    /// Timers, and interactions that are sent back.
    case signals
    /// Prompts and responses for clients.
    case responses
    /// What apps need to continue.
    case userActivities = "user-activities"
    /// What every turn depended on.
    case journal
    /// Events that could not be processed.
    case deadLetters = "dead-letters"
    /// The stages' own state, compacted.
    case state

    /// Its index among all topics.
    package var index: Int {
        switch self {
        case .requests: 0
        case .resolved: 1
        case .confirmed: 2
        case .signals: 3
        case .responses: 4
        case .userActivities: 5
        case .journal: 6
        case .deadLetters: 7
        case .state: 8
        }
    }

    /// The topic's full name.
    package func name(prefix: String) -> TopicName { TopicName("\(prefix).\(self.rawValue)") }

    /// The topic of a full name; nil when it is none of the deployment's.
    package init?(name: TopicName, prefix: String) {
        guard name.hasPrefix(prefix + ".") else { return nil }
        self.init(rawValue: String(decoding: name.utf8.dropFirst(prefix.utf8.count + 1), as: UTF8.self))
    }

    /// Whether the recorder keeps it: every topic but the stages' own state (R39).
    package var isRecorded: Bool { self != .state }
}
