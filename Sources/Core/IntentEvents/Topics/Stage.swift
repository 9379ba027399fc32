/// The three stages that own an interaction one after the other (R12).
package enum Stage: String, Sendable, CaseIterable, Comparable {
    /// Settles the parameters with the user.
    case resolve
    /// Checks, and asks the user where the policy says so.
    case confirm
    /// Performs the task.
    case handle

    /// The `ce_source` of the stage's events.
    package var source: String {
        switch self {
        case .resolve: "/intentd/resolve"
        case .confirm: "/intentd/confirm"
        case .handle: "/intentd/handle"
        }
    }

    /// The stage's letter in prompt ids.
    package var letter: String { String(self.rawValue.prefix(1)) }

    /// The stage of a prompt id's letter.
    package init?(letter: some StringProtocol) {
        guard let stage = Self.allCases.first(where: { $0.letter == letter }) else { return nil }
        self = stage
    }

    package var inputTopic: Topic {
        switch self {
        case .resolve: .requests
        case .confirm: .resolved
        case .handle: .confirmed
        }
    }

    /// The topic to which the stage passes an interaction on; nil for the last one.
    package var nextTopic: Topic? {
        switch self {
        case .resolve: .resolved
        case .confirm: .confirmed
        case .handle: nil
        }
    }

    /// The topics that the stage writes to.
    package var outputTopics: [Topic] {
        // Only resolve reads what clients write, and so forwards events to their home partition (R1).
        (self == .resolve ? [.requests] : []) + (self.nextTopic.map { [$0] } ?? [])
            + [.signals, .responses, .userActivities, .journal, .deadLetters, .state]
    }

    /// Earlier stages first.
    package static func < (lhs: Stage, rhs: Stage) -> Bool {
        Self.allCases.firstIndex(of: lhs)! < Self.allCases.firstIndex(of: rhs)!
    }
}
