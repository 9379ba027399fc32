package import IntentEvents
internal import IntentRuntime
package import WireRules

/// The form of a type of events on the wire: their topics, their CloudEvents attributes, their data (contract, section
/// 2).
package struct EventRule: Sendable {
    package var type: EventType
    /// The meaning of an event of this type.
    package var summary: String
    /// The topics that contain it; the first is the one to which it is first written.
    package var topics: [Topic]
    /// The CloudEvents attributes by their names in structured mode.
    package var attributes: ObjectRule
    package var data: ObjectRule

    /// The strictness that follows from the writer.
    package var strictness: ValueRule.Strictness { self.type.isInbound ? .received : .written }

    /// The headers in binary mode.
    package var headers: ObjectRule {
        var members = self.attributes.members.map { member in
            var header = member
            header.name = EventHeaderName.header(ofAttribute: member.name)
            return header
        }
        if self.strictness == .written, self.topics.contains(where: \.hasFormat) {
            members.append(.optional(RecordFormats.header, .text(.recordFormat), "The record's format; 1 without it."))
        }
        return ObjectRule(members)
    }

    /// The event in structured mode, as in files and on the command line.
    package var structured: ObjectRule {
        let needsData = self.data.members.contains { $0.isRequired && $0.name != "user" }
        let data = MemberRule(
            name: "data",
            value: .object(self.data),
            summary: "The event's data.",
            isRequired: self.strictness == .written || needsData,
            standard: nil
        )
        return ObjectRule(self.attributes.members + [data])
    }

    /// The rule of each type, in the order of `EventType`.
    package static let all: [EventRule] = EventType.allCases.map(EventRule.init)

    package static func of(_ type: EventType) -> EventRule { Self.byType[type]! }

    private static let byType = Dictionary(uniqueKeysWithValues: Self.all.map { ($0.type, $0) })

    private init(_ type: EventType) {
        self =
            switch type {
            case .intentRequested: .intentRequested
            case .promptAnswered: .promptAnswered
            case .interactionCancelled: .interactionCancelled
            case .deviceUnlocked: .deviceUnlocked
            case .userAuthenticated: .userAuthenticated
            case .appResponded: .appResponded
            case .vocabularyReplaced: .vocabularyReplaced
            case .vocabularyRemoved: .vocabularyRemoved
            case .operatorDecided: .operatorDecided
            case .intentResolved: .intentResolved
            case .intentConfirmed: .intentConfirmed
            case .interactionReturned: .interactionReturned
            case .interactionResumed: .interactionResumed
            case .promptRecalled: .promptRecalled
            case .followUpScheduled: .followUpScheduled
            case .timerFired: .timerFired
            case .operatorActed: .operatorActed
            case .promptIssued: .promptIssued
            case .intentResponded: .intentResponded
            case .statusUpdated: .statusUpdated
            case .userNotified: .userNotified
            case .eventRejected: .eventRejected
            case .userActivityCreated: .userActivityCreated
            case .turnJournaled: .turnJournaled
            }
    }

    init(_ type: EventType, _ summary: String, on topics: [Topic], attributes: [MemberRule], data: [MemberRule]) {
        self.type = type
        self.summary = summary
        self.topics = topics
        self.attributes = ObjectRule(attributes)
        self.data = ObjectRule(data)
    }
}
