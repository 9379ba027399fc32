/// The types of events (contract, section 2); the raw value is `ce_type`.
package enum EventType: String, Sendable, CaseIterable {
    case intentRequested = "intent.requested"
    case promptAnswered = "prompt.answered"
    /// A user gives up.
    case interactionCancelled = "interaction.cancelled"
    case deviceUnlocked = "device.unlocked"
    case userAuthenticated = "user.authenticated"
    /// The app finished what was handed to it.
    case appResponded = "app.responded"
    /// A user's vocabulary of one type.
    case vocabularyReplaced = "vocabulary.replaced"
    case vocabularyRemoved = "vocabulary.removed"
    /// An operator decides the outcome of a post.
    case operatorDecided = "operator.decided"

    /// Resolve passes an interaction on.
    case intentResolved = "intent.resolved"
    /// Confirm passes an interaction on.
    case intentConfirmed = "intent.confirmed"
    /// Confirm sends an interaction back for corrections.
    case interactionReturned = "interaction.returned"
    /// An interaction continues: a stage's event to itself.
    case interactionResumed = "interaction.resumed"
    /// The conversation with a prompt is set aside, or comes back.
    case promptRecalled = "prompt.recalled"
    /// A handler starts an intent.
    case followUpScheduled = "follow-up.scheduled"
    /// A deadline has come.
    case timerFired = "timer.fired"
    /// An operator acts: a record of the operators' log (R93).
    case operatorActed = "operator.acted"

    /// A question to the user.
    case promptIssued = "prompt.issued"
    case intentResponded = "intent.responded"
    /// News after the end.
    case statusUpdated = "status.updated"
    /// A handler notifies the user.
    case userNotified = "user.notified"
    /// An event that found nothing to act on.
    case eventRejected = "event.rejected"
    /// What an app needs to continue.
    case userActivityCreated = "user-activity.created"
    /// What a turn depended on.
    case turnJournaled = "turn.journaled"

    /// Whether it comes from outside, on `requests`; others are ignored there (R14).
    package var isInbound: Bool {
        switch self {
        case .intentRequested, .promptAnswered, .interactionCancelled, .deviceUnlocked, .userAuthenticated,
            .appResponded, .vocabularyReplaced, .vocabularyRemoved, .operatorDecided:
            true
        case .intentResolved, .intentConfirmed, .interactionReturned, .interactionResumed, .promptRecalled,
            .followUpScheduled, .timerFired, .operatorActed, .promptIssued, .intentResponded, .statusUpdated,
            .userNotified, .eventRejected, .userActivityCreated, .turnJournaled:
            false
        }
    }
}

extension EventType {
    private static let names = Self.allCases.map { (name: Array($0.rawValue.utf8), type: $0) }

    /// The type of a name in UTF-8; nil when it is none of intentd's.
    init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        // By index: a closure would be given a copy of each name.
        for index in Self.names.indices where Self.names[index].name.count == bytes.count {
            guard Self.names[index].name.withUnsafeBufferPointer({ bytes.elementsEqual($0) }) else { continue }
            self = Self.names[index].type
            return
        }
        return nil
    }

    /// The type of a name; nil when it is none of intentd's.
    init?(text: String) {
        var text = text
        guard let type = text.withUTF8({ EventType(utf8: $0) }) else { return nil }
        self = type
    }
}
