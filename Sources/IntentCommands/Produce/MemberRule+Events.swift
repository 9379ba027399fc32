import IntentEvents
import IntentKit

extension MemberRule {
    /// The rules of each type of event that clients send (SPEC section 2).
    static let events: [String: MemberRule] = Dictionary(
        uniqueKeysWithValues: EventType.allCases.filter(\.isInbound).map { ($0.rawValue, Self.event($0)) }
    )

    /// A structured event of a type.
    private static func event(_ type: EventType) -> MemberRule {
        let members = Self.members(of: type)
        return MemberRule(
            "the event",
            .object,
            members: [
                MemberRule("specversion", .string, choices: ["1.0"]), MemberRule("id", .string),
                MemberRule("source", .string), MemberRule("type", .string, required: true),
                MemberRule("time", .time), MemberRule("userid", .string),
                MemberRule("subject", .string, required: type == .interactionCancelled),
                MemberRule(
                    "data",
                    .object,
                    required: members.contains(where: \.isRequired),
                    members: [Self.user] + members
                ),
            ]
        )
    }

    private static let user = MemberRule(
        "user",
        .object,
        members: [
            MemberRule("id", .string),
            MemberRule("authorization", .string, choices: ["notDetermined", "restricted", "denied", "authorized"]),
            MemberRule("authenticated", .boolean), MemberRule("contactsAccess", .boolean),
        ]
    )

    private static func members(of type: EventType) -> [MemberRule] {
        switch type {
        case .intentRequested:
            [
                MemberRule(
                    "intent",
                    .object,
                    required: true,
                    members: [MemberRule("name", .string, required: true), MemberRule("parameters", .object)]
                ),
                Self.device(isRequired: false), MemberRule("locale", .string), MemberRule("groupIdentifier", .string),
                MemberRule("expiresAt", .time),
            ]
        case .promptAnswered:
            [
                MemberRule("promptId", .string, required: true),
                MemberRule("action", .string, required: true, choices: ["accept", "decline", "cancel"]),
                MemberRule("choice", .integer), MemberRule("corrections", .object),
            ]
        case .interactionCancelled: [MemberRule("reason", .string)]
        case .deviceUnlocked: [Self.device(isRequired: true)]
        case .appResponded: [MemberRule("code", .string, required: true), MemberRule("response", .object)]
        case .vocabularyReplaced:
            [
                MemberRule(
                    "type",
                    .string,
                    required: true,
                    choices: VocabularyStringType.allCases.map(\.rawValue)
                ),
                MemberRule("strings", .array, required: true),
            ]
        case .userAuthenticated, .vocabularyRemoved, .intentResolved, .intentConfirmed, .interactionReturned,
            .interactionResumed, .timerFired, .promptIssued, .intentResponded, .statusUpdated, .eventRejected,
            .userActivityCreated, .turnJournaled:
            []
        }
    }

    private static func device(isRequired: Bool) -> MemberRule {
        MemberRule(
            "device",
            .object,
            required: isRequired,
            members: [
                MemberRule("id", .string, required: isRequired), MemberRule("locked", .boolean),
                MemberRule("appVersion", .string),
            ]
        )
    }
}
