internal import IntentEvents
internal import IntentKit
internal import IntentRuntime
internal import WireRules

/// The events that the stages write to each other and to themselves, on `resolved`, `confirmed` and `signals`.
extension EventRule {
    static let intentResolved = EventRule(
        .intentResolved,
        "Resolve passes an interaction on: its parameters are resolved.",
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
        "A later stage sends an interaction back for the user's corrections, or with a question.",
        on: [.signals],
        attributes: Self.written(.interactionReturned, stage: .always),
        data: [
            .required("interaction", Self.interaction, "The interaction as it was."),
            .required("corrections", .map(.any), "The user's new values by parameter."),
            .required("user", Self.writtenUser, "The user of the interaction."),
        ]
    )

    static let interactionResumed = EventRule(
        .interactionResumed,
        "An event that an interaction waited for has occurred.",
        on: [.signals],
        attributes: Self.written(.interactionResumed, stage: .always),
        data: [
            .required("promptId", .text(.promptID), "The prompt that waited."),
            .required("user", Self.writtenUser, "The user of the interaction."),
        ]
    )

    static let promptRecalled = EventRule(
        .promptRecalled,
        "The conversation with a prompt is set aside for this interaction, or comes back at its end.",
        on: [.signals],
        attributes: Self.written(.promptRecalled, stage: .always),
        data: [
            .required("promptId", .text(.promptID), "The prompt."),
            .required("what", .oneOf(PromptRecall.self), "Whether it is set aside, or in front again."),
            .required("user", Self.writtenUser, "The user of both interactions."),
        ]
    )

    static let followUpScheduled = EventRule(
        .followUpScheduled,
        "A handler starts an intent, or notifies a user later: resolve sends it when it is due.",
        on: [.signals],
        attributes: Self.written(.followUpScheduled, stage: .always),
        data: [
            .required("name", .text(.nonEmpty), "The handler's name for it."),
            .required("interaction", .text(.nonEmpty), "The id of the new interaction, or of the notification."),
            .optional("intent", Self.intent, "The intent with the values that are known."),
            .optional("details", .map(.any), "The details of a notification."),
            .optional("at", .integer(), "When it is due, in milliseconds since 1970."),
            .required("follows", .text(.nonEmpty), "The interaction that it follows from."),
            .required("followedIntent", .text(.any), "The name of that interaction's intent."),
            .required("request", .text(.request), "The position of that interaction's request."),
            .required("depth", .integer(minimum: 1), "How many interactions it follows from, one after the other."),
            .required("locale", .text(.any), "The user's language."),
            .optional("dialog", .text(.any), "What its first prompt begins with, or the words of a notification."),
            .optional("for", .text(.nonEmpty), "The user whom it is for, if it is another one."),
            .optional("timeZone", .text(.nonEmpty), "The name of the user's time zone."),
            .optional("groupIdentifier", .text(.any), "Groups interactions that belong together."),
            .optional("contactsAccess", .boolean, "False if the contacts may not be used; otherwise absent."),
            .optional("headers", .map(.text(.any)), "Headers that are copied to the request."),
            .required("user", Self.writtenUser, "The user of the interaction that it follows from."),
        ]
    )

    static let timerFired = EventRule(
        .timerFired,
        "A deadline has passed.",
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
            .required("what", .oneOf(TimerKind.self), "The kind of deadline."),
            .required("deadline", .text(.ownTime), "When it was due."),
            .optional("promptId", .text(.promptID), "The prompt that has expired."),
            .optional("attempt", .integer(minimum: 1), "The attempt of the parked turn."),
            .optional("position", .text(.position), "The event of the parked turn."),
            .optional(
                "entry",
                .text(.nonEmpty),
                "The name of a follow-up's state entry, or of one that cannot be read."
            ),
            .optional("digest", .text(.digest), "That entry's SHA-256."),
            .optional("value", .text(.any), "The beginning of that entry's value, up to 64 KiB."),
            .required("user", Self.writtenUser, "The user of the interaction."),
        ]
    )

    static let operatorActed = EventRule(
        .operatorActed,
        "An operator acts: a record of the operators' log. One with a stage is carried out by the stages.",
        on: [.signals, .resolved, .confirmed],
        attributes: Self.written(
            .operatorActed,
            subject: .sometimes,
            cause: .never,
            stage: .sometimes,
            request: .sometimes,
            passesThrough: false,
            sources: ["/intentd/operators"]
        ),
        data: [
            .required("act", .oneOf(OperatorAct.Kind.self), "What is done."),
            .required("by", .text(.any), "The operator's name, as the operator has given it."),
            .required("via", .text(.any), "Where: terminal or console."),
            .optional("reason", .text(.any), "Why."),
            .optional("target", .text(.any), "What it is about, besides user and interaction."),
            .optional("copy", .boolean, "Whether it repeats another record for a further stage or partition."),
            .optional("details", .map(.any), "What was done."),
            .required("user", Self.writtenUser, "The user whom it is about, or intentd.operators."),
        ]
    )

    private static let passedOn: [MemberRule] = [
        .required("interaction", Self.interaction, "The interaction, for its new owner."),
        .required("intent", Self.intent, "The intent with resolved parameters."),
        .required("user", Self.writtenUser, "The user of the interaction."),
    ]

    /// An interaction in the form in which its owner keeps it and passes it on.
    private static let interaction = ValueRule.shared(
        "Interaction",
        .members([
            .required("id", .text(.nonEmpty), "The interaction's id."),
            .required("request", .text(.request), "The position of its request."),
            .optional("content", .text(.ownID), "The digest that distinguishes another request with the same id (R8)."),
            .required("startedAt", .integer(), "When processing of the request started, in milliseconds since 1970."),
            .optional("queued", .integer(minimum: 1), "How long the request was on its topic before, in milliseconds."),
            .required("user", .members(Self.requestingUser), "The user's id."),
            .required("device", .members(Self.requestingDevice), "The device of the request."),
            .required("locale", .text(.any), "The user's language."),
            .optional("timeZone", .text(.nonEmpty), "The name of the user's time zone, as the client sent it."),
            .optional("groupIdentifier", .text(.any), "Groups interactions that belong together."),
            .optional("expiresAt", .integer(), "When the request expires, in milliseconds since 1970."),
            .optional("follows", .text(.nonEmpty), "The interaction of the same user that it follows from; format 2."),
            .optional("opening", .text(.any), "What its first prompt begins with; format 2."),
            .optional(
                "presentation",
                .members([
                    .required("context", .oneOf(Presentation.Context.self), "Where views are shown."),
                    .required("maximumSize", Self.size(minimum: 0), "The maximum size of a view, in points."),
                ]),
                "How views are shown."
            ),
            .required("intent", Self.intent, "The intent with its current values."),
            .optional("ignored", .list(.text(.any)), "Parameters that the intent does not have."),
            .optional("headers", .map(.text(.any)), "Headers that are copied to later events."),
            .required("turns", .integer(minimum: 0), "Turns so far, in all stages."),
            .optional("history", .text(.history), "Past prompts: answered, superseded or expired."),
            .optional("setsAside", .text(.promptID), "The prompt that it sets aside; format 2."),
            .optional("settled", .list(.text(.any)), "The resolved parameters."),
            .optional("confirmed", .map(.map(.any)), "List values that the user has confirmed, by index."),
            .optional(
                "displays",
                .map(Self.displayRepresentation),
                "The words with which values were chosen, by parameter, for lists also by index."
            ),
            .optional("refused", .map(.any), "Values that were refused."),
            .optional(
                "understood",
                .map(
                    .list(
                        .members([
                            .required("said", .text(.nonEmpty), "What the user said."),
                            .required("value", .any, "The value that was understood."),
                            .required("words", .text(.nonEmpty), "The value in the user's language."),
                        ])
                    )
                ),
                "Words that were read as values, by parameter."
            ),
            .optional(
                "ambiguous",
                .map(
                    .map(
                        .list(
                            .members([
                                .required("value", .any, "A value that they may mean."),
                                .required("words", .text(.nonEmpty), "The value in the user's language."),
                            ])
                        )
                    )
                ),
                "What words may mean that can be read as several values, by parameter and text."
            ),
            .optional(
                "asked",
                .map(Self.backQuestion),
                "Questions with which later stages sent it back, by parameter; format 2."
            ),
            .optional("round", .integer(minimum: 1), "How often it went back to the user from handle; format 2."),
            .optional("declined", .map(.list(.any)), "Values that were offered and declined, by parameter."),
            .optional("attempts", .map(.integer(minimum: 1)), "The number of failed answers, by question."),
            .optional("again", .map(Self.again), "What was wrong with the last failed answer, by question."),
            .optional("prompt", Self.openPrompt, "The open prompt."),
            .optional("shown", .any, "What the user was shown for confirmation."),
            .optional("accepted", .boolean, "Whether the user has confirmed what was shown."),
            .optional("redrive", Self.redriveState, "The state that a redriven interaction inherits."),
            .optional(
                "appDeadline",
                .integer(),
                "The deadline for the app to finish the intent, in milliseconds since 1970."
            ),
            .optional(
                "waiting",
                .members([
                    .required("at", .integer(), "When it is handled again, in milliseconds since 1970."),
                    .required("attempts", .integer(minimum: 0), "How often it was tried."),
                    .required("firstTriedAt", .integer(), "When it was first tried, in milliseconds since 1970."),
                    .required("position", .text(.position), "The event with which it came to be handled."),
                    .optional(
                        "reason",
                        .choice(["lookup", "operator", "paused"]),
                        "What it waits for: the next try, in which what became of a post is looked up, an operator, or "
                            + "the end of a pause; without it the next try."
                    ),
                    .optional("heldAt", .integer(), "When it was held by a pause, in milliseconds since 1970."),
                    .optional("pause", EventRule.pause, "The pause that held it."),
                    .optional("steps", .list(.map(.any)), "The steps that were committed."),
                ]),
                "How long it waits until it is handled again."
            ),
            .optional("undoing", Self.undoing, "What is undone before it ends or goes back; format 2."),
            .optional("warned", .integer(minimum: 0), "How many of the warnings an output has named."),
            .optional(
                "warnings",
                .list(.members(Self.mistake + [.required("eventId", .text(.any), "The event.")])),
                "What the client probably did not mean."
            ),
        ])
    )

    /// What is left to undo of an interaction.
    private static let undoing = ValueRule.members([
        .required("reason", .oneOf(EndReason.self), "Why it ends."),
        .required(
            "response",
            .members([
                .optional("code", .text(.nonEmpty), "The code with which it ends."),
                .optional("details", .map(.any), "The handler's details."),
                .optional("dialog", .any, "The handler's text for the user."),
                .optional("userActivity", .map(.any), "What the app needs to continue."),
            ]),
            "The response with which it ends."
        ),
        .optional("parameter", .text(.nonEmpty), "The parameter that is asked for, if it goes back instead."),
        .optional("question", Self.backQuestion, "The question with which it goes back."),
        .required("left", .list(Self.madeEffect), "The effects that are left, the next one first."),
        .optional("done", .list(.text(.any)), "The effects that were undone."),
        .optional(
            "failed",
            .list(
                .members([
                    .required("effect", .text(.any), "The effect's name."),
                    .required("reason", .text(.any), "The handler's text for the user, or a code."),
                ])
            ),
            "The effects that were to be undone and stay."
        ),
        .required("dueAt", .integer(), "When the next one is undone, in milliseconds since 1970."),
        .required("attempt", .integer(minimum: 1), "The number of the next try."),
        .required("startedAt", .integer(), "When undoing began, in milliseconds since 1970."),
    ])

    private static let madeEffect = ValueRule.members([
        .required("name", .text(.any), "The effect's name."),
        .required("ordinal", .integer(minimum: 0), "Its number among the effects of that name."),
    ])

    /// What an interaction passes on to one that is redriven from it.
    static let redriveState = ValueRule.members([
        .optional("keys", .integer(minimum: 2), "The form of its idempotency keys; 1 without it."),
        .optional("rounds", .integer(minimum: 1), "The number of rounds before it, which its keys continue."),
        .optional("yes", .text(.ownID), "The digest of what the user has confirmed."),
        .optional("values", .list(.text(.ownID)), "The digests of values that the user has confirmed."),
    ])

    private static let requestingUser: [MemberRule] = [
        .required("id", .text(.nonEmpty), "The user's id."),
        .optional(
            "authorization",
            .oneOf(RequestingUser.Authorization.self),
            "The authorization; absent if authorized."
        ),
        .optional("authenticated", .boolean, "False if the user is not signed in; otherwise absent."),
        .optional("contactsAccess", .boolean, "False if the contacts may not be used; otherwise absent."),
    ]

    private static let requestingDevice: [MemberRule] = [
        .optional("id", .text(.any), "The device's id."),
        .optional("locked", .boolean, "Whether it is locked."),
        .optional("appVersion", .text(.any), "The version of the app on the device."),
    ]

    private static let backQuestion = ValueRule.members([
        .required("kind", .oneOf(PromptKind.self), "The kind of prompt."),
        .required("by", .oneOf(Stage.self), "The stage that asks."),
        .optional("at", .integer(minimum: 0), "The index of the value in a list."),
        .optional("options", .list(.any), "The options."),
        .optional("item", .any, "The value to confirm."),
        .optional("displays", .list(.orNull(Self.displayRepresentation)), "The options' words, null where declared."),
        .optional("itemDisplay", Self.displayRepresentation, "The words of the value."),
        .optional("reason", Self.storedReason, "Why the value is in question."),
        .optional("dialog", .text(.any), "The handler's text."),
    ])

    private static let storedReason = ValueRule.members([
        .required("code", .integer(), "The code: SiriKit's or the author's own."),
        .required("name", .text(.nonEmpty), "The reason's name."),
        .optional("title", Self.texts, "The reason as people say it."),
    ])

    /// The words of a value in all languages.
    private static let displayRepresentation = ValueRule.shared(
        "DisplayRepresentation",
        .members([
            .required("title", Self.texts, "The title: a text, or texts by locale."),
            .optional("subtitle", Self.texts, "What distinguishes it from values of the same title."),
            .optional("image", Self.image, "A picture of it."),
            .optional("synonyms", .list(Self.texts), "Other words for it."),
        ])
    )

    private static let texts = ValueRule.either([.text(.any), .map(.text(.any))])

    private static let openPrompt = ValueRule.members([
        .required("number", .integer(minimum: 1), "The number of the prompt in the interaction."),
        .required("kind", .oneOf(PromptKind.self), "The kind of prompt."),
        .optional("parameter", .text(.nonEmpty), "The parameter that the prompt is about."),
        .optional("index", .integer(minimum: 0), "The index of the value in a list."),
        .required("attempt", .integer(minimum: 0), "The number of failed answers."),
        .optional("options", .list(.any), "The options."),
        .optional(
            "displays",
            .list(.orNull(Self.displayRepresentation)),
            "The options' words for this request, in the same order; null where the declared ones count."
        ),
        .optional("item", .any, "The value in question."),
        .optional("itemDisplay", Self.displayRepresentation, "The words of the value in question for this request."),
        .optional("reason", Self.storedReason, "Why the value is in question."),
        .optional("dialog", .text(.any), "The handler's text."),
        .required("expiresAt", .integer(), "When the prompt expires, in milliseconds since 1970."),
        .optional("issuedAt", .integer(), "When it was issued, in milliseconds since 1970."),
        .optional("extensions", .integer(minimum: 1), "How often that time was extended."),
    ])
}
