internal import IntentEvents
internal import IntentKit
internal import IntentRuntime
internal import WireRules

/// The events that the stages write to each other and to themselves, on `resolved`, `confirmed` and `signals`.
extension EventRule {
    static let intentResolved = EventRule(
        .intentResolved,
        "Resolve passes an interaction on: its parameters are settled.",
        on: [.resolved],
        attributes: Self.written(.intentResolved),
        data: Self.passedOn
    )

    static let intentConfirmed = EventRule(
        .intentConfirmed,
        "Confirm passes an interaction on: it may be handled.",
        on: [.confirmed],
        attributes: Self.written(.intentConfirmed),
        data: Self.passedOn
    )

    static let interactionReturned = EventRule(
        .interactionReturned,
        "Confirm sends an interaction back for the user's corrections.",
        on: [.signals],
        attributes: Self.written(.interactionReturned, stage: .always),
        data: [
            .required("interaction", Self.interaction, "The interaction as it was."),
            .required("corrections", .map(.any), "The user's new values by parameter."),
            .required("user", Self.writtenUser, "Whose it is."),
        ]
    )

    static let interactionResumed = EventRule(
        .interactionResumed,
        "What an interaction waited for has happened.",
        on: [.signals],
        attributes: Self.written(.interactionResumed, stage: .always),
        data: [
            .required("promptId", .text(.promptID), "The prompt that waited."),
            .required("user", Self.writtenUser, "Whose it is."),
        ]
    )

    static let timerFired = EventRule(
        .timerFired,
        "A deadline has come.",
        on: [.signals],
        attributes: Self.written(
            .timerFired,
            subject: .sometimes,
            cause: .never,
            stage: .always,
            request: .sometimes,
            passesThrough: false
        ),
        data: [
            .required("what", .oneOf(TimerKind.self), "What the deadline is about."),
            .required("deadline", .text(.ownTime), "When it was due."),
            .optional("promptId", .text(.promptID), "The prompt whose time is up."),
            .optional("attempt", .integer(minimum: 1), "Which try of a parked turn it is about."),
            .optional("position", .text(.position), "The event of the parked turn that it is about."),
            .optional("entry", .text(.nonEmpty), "The name of a state entry that cannot be read."),
            .optional("digest", .text(.digest), "That entry's SHA-256."),
            .optional("value", .text(.any), "What that entry holds, the first 64 KiB of it."),
            .required("user", Self.writtenUser, "Whose it is."),
        ]
    )

    private static let passedOn: [MemberRule] = [
        .required("interaction", Self.interaction, "The interaction, for its new owner."),
        .required("intent", Self.intent, "What the user wants, with settled parameters."),
        .required("user", Self.writtenUser, "Whose it is."),
    ]

    /// An interaction in the form in which its owner keeps it and passes it on.
    private static let interaction = ValueRule.shared(
        "Interaction",
        .members([
            .required("id", .text(.nonEmpty), "The interaction's id."),
            .required("request", .text(.request), "The place of its request."),
            .optional("content", .text(.ownID), "Tells another request under the same id (R8)."),
            .required("startedAt", .integer(), "When the request was taken up, in milliseconds since 1970."),
            .required("user", .members(Self.requestingUser), "The user's id."),
            .required("device", .members(Self.requestingDevice), "From where."),
            .required("locale", .text(.any), "The user's language."),
            .optional("groupIdentifier", .text(.any), "Groups interactions that belong together."),
            .optional("expiresAt", .integer(), "When the user no longer cares, in milliseconds since 1970."),
            .optional(
                "presentation",
                .members([
                    .required("context", .oneOf(Presentation.Context.self), "Where views are shown."),
                    .required("maximumSize", Self.size(minimum: 0), "The most room for one, in points."),
                ]),
                "How views are shown."
            ),
            .required("intent", Self.intent, "The intent with its values as they are now."),
            .optional("ignored", .list(.text(.any)), "Parameters that the intent does not have."),
            .optional("headers", .map(.text(.any)), "Headers carried along."),
            .required("turns", .integer(minimum: 0), "Turns so far, in all stages."),
            .optional("history", .text(.history), "Past prompts: answered, superseded or expired."),
            .optional("settled", .list(.text(.any)), "Parameters that are settled."),
            .optional("confirmed", .map(.map(.any)), "Values of lists that the user said yes to, by index."),
            .optional("refused", .map(.any), "Values that could not be taken."),
            .optional("attempts", .map(.integer(minimum: 1)), "Answers that settled nothing, by what was asked."),
            .optional("again", .map(Self.again), "What was wrong with the last of those answers, by what was asked."),
            .optional("prompt", Self.openPrompt, "The open prompt."),
            .optional("shown", .any, "What the user was shown when asked whether it shall be done."),
            .optional("accepted", .boolean, "Whether the user said yes to what was shown."),
            .optional("redrive", Self.redriveState, "What an interaction that is redriven from it takes over."),
            .optional("appDeadline", .integer(), "Until when the app may finish it, in milliseconds since 1970."),
        ])
    )

    /// What an interaction passes on to one that is redriven from it.
    static let redriveState = ValueRule.members([
        .optional("keys", .integer(minimum: 2), "The form of its idempotency keys; 1 without it."),
        .optional("yes", .text(.ownID), "The digest of what the user said yes to."),
        .optional("values", .list(.text(.ownID)), "The digests of values that the user said yes to."),
    ])

    private static let requestingUser: [MemberRule] = [
        .required("id", .text(.nonEmpty), "The user's id."),
        .optional("authorization", .oneOf(RequestingUser.Authorization.self), "Unless it is authorized."),
        .optional("authenticated", .boolean, "Unless the user is signed in."),
        .optional("contactsAccess", .boolean, "Unless the contacts may be used."),
    ]

    private static let requestingDevice: [MemberRule] = [
        .optional("id", .text(.any), "The device's id."),
        .optional("locked", .boolean, "Whether it is locked."),
        .optional("appVersion", .text(.any), "The version of the app on it."),
    ]

    private static let openPrompt = ValueRule.members([
        .required("number", .integer(minimum: 1), "Which of the interaction's prompts it is."),
        .required("kind", .oneOf(PromptKind.self), "What it asks."),
        .optional("parameter", .text(.nonEmpty), "About which parameter."),
        .optional("index", .integer(minimum: 0), "Which value of a list."),
        .required("attempt", .integer(minimum: 0), "How many answers have failed to settle it."),
        .optional("options", .list(.any), "What may be chosen."),
        .optional("item", .any, "The value in question."),
        .optional("reason", Self.reason, "Why it is in question."),
        .optional("dialog", .text(.any), "What the handler has said for itself."),
        .required("expiresAt", .integer(), "When it is too late to answer, in milliseconds since 1970."),
    ])
}
