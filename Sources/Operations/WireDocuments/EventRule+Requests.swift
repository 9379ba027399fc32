internal import IntentEvents
internal import IntentKit
internal import IntentRuntime
internal import WireRules

/// The events that clients and apps send, on `requests`.
extension EventRule {
    /// The topics of events that may be for a later stage: such an event is forwarded unchanged (R12).
    private static let forwarded: [Topic] = [.requests, .resolved, .confirmed]

    static let intentRequested = EventRule(
        .intentRequested,
        "A user requests an intent, with some of its parameters.",
        on: [.requests],
        attributes: Self.received(.intentRequested),
        data: [
            .required(
                "intent",
                .members([
                    .required("name", .text(.nonEmpty), "The intent's name, such as INSendMessageIntent."),
                    .optional("parameters", .map(.any), "Values by parameter; see values.json for their forms."),
                ]),
                "The intent."
            ),
            .optional(
                "user",
                .members([
                    .optional("id", .text(.any), "The user's id."),
                    .optional(
                        "authorization",
                        .oneOf(RequestingUser.Authorization.self),
                        "Whether the user allows the assistant to use the app.",
                        standard: .string(RequestingUser.Authorization.authorized.rawValue)
                    ),
                    .optional("authenticated", .boolean, "Whether the user is signed in.", standard: true),
                    .optional("contactsAccess", .boolean, "Whether the user's contacts may be used.", standard: true),
                ]),
                "The user."
            ),
            .optional(
                "device",
                .members([
                    .optional("id", .text(.any), "The device's id."),
                    .optional(
                        "locked",
                        .boolean,
                        "Whether it is locked. If absent, it counts as locked for restricted intents."
                    ),
                    .optional("appVersion", .text(.any), "The version of the app on the device."),
                ]),
                "The device of the request."
            ),
            .optional("locale", .text(.any), "The user's language.", standard: "en-US"),
            Self.timeZone,
            .optional("groupIdentifier", .text(.any), "Groups interactions that belong together."),
            .optional("expiresAt", .text(.time), "When the request expires."),
            .optional(
                "presentation",
                .members([
                    .optional(
                        "context",
                        .oneOf(Presentation.Context.self),
                        "Where views are shown.",
                        standard: .string(Presentation().context.rawValue)
                    ),
                    .optional(
                        "maximumSize",
                        Self.size(minimum: 0),
                        "The maximum size of a view, in points.",
                        standard: Presentation().maximumSize.json
                    ),
                ]),
                "How views are shown."
            ),
            .optional(
                "redrive",
                Self.redriveState,
                "The state that the request inherits from the failed one. Only `intentd dead-letters redrive` can set it."
            ),
            .optional(
                "follows",
                .members([
                    .optional("interaction", .text(.any), "That interaction's id."),
                    .optional("name", .text(.any), "The handler's name for this one."),
                ]),
                "The interaction of the same user that the request follows from. Only intentd can set it."
            ),
            .optional("dialog", .text(.any), "What the first prompt begins with. Only intentd can set it."),
            .optional("setsAside", .text(.any), "The id of the user's open prompt that is set aside for this request."),
        ]
    )

    static let promptAnswered = EventRule(
        .promptAnswered,
        "A user answers a prompt.",
        on: Self.forwarded,
        attributes: Self.received(.promptAnswered),
        data: [
            Self.user, .required("promptId", .text(.promptID), "The prompt that is answered."),
            .optional(
                "action",
                .choice(["accept", "decline", "cancel"]),
                "Yes, no, or cancel.",
                standard: "accept"
            ),
            .optional("value", .any, "The value for the parameter."),
            .optional("choice", .integer(), "The index of the chosen option, from 0."),
            .optional("corrections", .map(.any), "New values of other parameters."),
            Self.timeZone,
        ]
    )

    static let interactionCancelled = EventRule(
        .interactionCancelled,
        "A user cancels an interaction.",
        on: Self.forwarded + [.signals],
        attributes: Self.received(.interactionCancelled, subject: .always),
        data: [Self.user, .optional("reason", .text(.any), "The reason.")]
    )

    static let deviceUnlocked = EventRule(
        .deviceUnlocked,
        "A device was unlocked: the user's interactions that wait for it continue.",
        on: Self.forwarded,
        attributes: Self.received(.deviceUnlocked),
        data: [
            Self.user,
            .required("device", .members([.required("id", .text(.any), "The device's id.")]), "The device."),
        ]
    )

    static let userAuthenticated = EventRule(
        .userAuthenticated,
        "A user signed in: the user's interactions that wait for it continue.",
        on: Self.forwarded,
        attributes: Self.received(.userAuthenticated),
        data: [Self.user]
    )

    static let appResponded = EventRule(
        .appResponded,
        "The app finished an intent that was handed to it.",
        on: Self.forwarded,
        attributes: Self.received(.appResponded, subject: .always),
        data: [
            Self.user, .required("code", .text(.any), "One of the intent's final response codes."),
            .optional("response", .map(.any), "The app's details."),
        ]
    )

    static let vocabularyReplaced = EventRule(
        .vocabularyReplaced,
        "A user's vocabulary of one type: all terms, the most important first.",
        on: Self.forwarded,
        attributes: Self.received(.vocabularyReplaced),
        data: [
            Self.user, .required("type", .oneOf(VocabularyStringType.self), "The vocabulary type."),
            .required("strings", .list(.shared("VocabularyString", Self.vocabularyString)), "The terms."),
        ]
    )

    static let vocabularyRemoved = EventRule(
        .vocabularyRemoved,
        "Removes all vocabularies of a user.",
        on: Self.forwarded,
        attributes: Self.received(.vocabularyRemoved),
        data: [Self.user]
    )

    static let operatorDecided = EventRule(
        .operatorDecided,
        "An operator decides what became of a post. Only `intentd waiting decide` and the console can send it.",
        on: Self.forwarded,
        attributes: Self.received(.operatorDecided, subject: .always),
        data: [
            Self.user, .required("decision", .oneOf(OperatorDecision.Outcome.self), "What became of it."),
            .required("request", .text(.any), "The interaction's request."),
            .required("attempts", .integer(), "The attempts before the decision: it ends no later wait."),
            .optional("code", .text(.any), "The code with which the interaction ends; not with notDone."),
            .optional("details", .map(.any), "The details that the user sees."),
            .optional("dialog", .text(.any), "The words for the user."),
        ]
    )

    private static let user = MemberRule.optional(
        "user",
        .members([.optional("id", .text(.any), "The user's id.")]),
        "The user."
    )

    private static let timeZone = MemberRule.optional(
        "timeZone",
        .text(.any),
        "The IANA name of the user's time zone, such as Europe/Berlin. An unknown name counts as absent."
    )

    private static let vocabularyString = ValueRule.either([
        .text(Self.term),
        .members([
            .required("spokenPhrase", .text(Self.term), "The term as the user says it."),
            .optional("pronunciationHint", .text(Self.term), "The pronunciation, if it differs from the spelling."),
            .optional("vocabularyIdentifier", .text(Self.term), "The app's identifier for the term."),
        ]),
    ])

    private static let term = TextForm(
        "a string of at most \(VocabularyEntry.maximumUTF16Bytes) bytes of UTF-16",
        maximumLength: VocabularyEntry.maximumUTF16Bytes / 2
    ) { $0.utf16.count * 2 <= VocabularyEntry.maximumUTF16Bytes }
}
