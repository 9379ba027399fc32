import IntentEvents
import IntentKit

extension MemberRule {
    /// The members of a structured event.
    static let envelope = [
        MemberRule("specversion", .string, choices: ["1.0"]), MemberRule("id", .string), MemberRule("source", .string),
        MemberRule("type", .string, required: true), MemberRule("time", .time), MemberRule("subject", .string),
        MemberRule("userid", .string), MemberRule("data", .object),
    ]

    private static let user = [MemberRule("data.user", .object), MemberRule("data.user.id", .string)]

    private static let request =
        user + [
            MemberRule("data.intent.name", .string, required: true), MemberRule("data.intent.parameters", .object),
            MemberRule(
                "data.user.authorization",
                .string,
                choices: ["notDetermined", "restricted", "denied", "authorized"]
            ),
            MemberRule("data.user.authenticated", .boolean), MemberRule("data.user.contactsAccess", .boolean),
            MemberRule("data.device", .object), MemberRule("data.device.id", .string),
            MemberRule("data.device.locked", .boolean), MemberRule("data.device.appVersion", .string),
            MemberRule("data.locale", .string), MemberRule("data.groupIdentifier", .string),
            MemberRule("data.expiresAt", .time),
        ]

    private static let answer =
        user + [
            MemberRule("data.promptId", .string, required: true),
            MemberRule("data.action", .string, required: true, choices: ["accept", "decline", "cancel"]),
            MemberRule("data.choice", .integer), MemberRule("data.corrections", .object),
        ]

    private static let vocabulary =
        user + [
            MemberRule(
                "data.type",
                .string,
                required: true,
                choices: VocabularyStringType.allCases.map(\.rawValue)
            ),
            MemberRule("data.strings", .array, required: true),
        ]

    /// The members of an event that clients send (SPEC section 2).
    static func members(of type: EventType) -> [MemberRule] {
        switch type {
        case .intentRequested: Self.request
        case .promptAnswered: Self.answer
        case .interactionCancelled:
            Self.user + [MemberRule("subject", .string, required: true), MemberRule("data.reason", .string)]
        case .deviceUnlocked:
            Self.user + [MemberRule("data.device", .object), MemberRule("data.device.id", .string, required: true)]
        case .appResponded:
            Self.user + [MemberRule("data.code", .string, required: true), MemberRule("data.response", .object)]
        case .vocabularyReplaced: Self.vocabulary
        case .userAuthenticated, .vocabularyRemoved, .intentResolved, .intentConfirmed, .interactionReturned,
            .interactionResumed, .timerFired, .promptIssued, .intentResponded, .statusUpdated, .eventRejected,
            .userActivityCreated, .turnJournaled:
            Self.user
        }
    }
}
