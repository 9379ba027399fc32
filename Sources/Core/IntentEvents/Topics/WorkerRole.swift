/// What a worker does: a stage, or recording.
///
/// Each role has a consumer group of its own (contract, section 1).
package enum WorkerRole: String, Sendable, CaseIterable {
    /// Resolves parameters with users.
    case resolve
    /// Checks, and asks users.
    case confirm
    /// Carries intents out.
    case handle
    /// Records everything in SQLite.
    case record

    /// The stage; nil for recording.
    package var stage: Stage? { Stage(rawValue: self.rawValue) }

    /// The topics that its group reads.
    package var topics: [Topic] { self.stage?.inputTopics ?? Topic.allCases.filter(\.isRecorded) }

    /// Its consumer group, with the deployment's prefix.
    package func group(prefix: String) -> GroupName { "\(prefix).\(self.rawValue)" }
}

extension Stage {
    package var role: WorkerRole {
        switch self {
        case .resolve: .resolve
        case .confirm: .confirm
        case .handle: .handle
        }
    }

    /// The topics that the stage reads: its own input, and signals.
    package var inputTopics: [Topic] { [self.inputTopic, .signals] }

    /// The stage's consumer group, with the deployment's prefix.
    package func group(prefix: String) -> GroupName { self.role.group(prefix: prefix) }
}

extension GroupName {
    /// The consumer group of the gateways that post events to the webhook, with the deployment's prefix (R88).
    package static func webhooks(prefix: String) -> GroupName { "\(prefix).webhooks" }
}
