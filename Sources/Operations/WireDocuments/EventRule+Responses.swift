internal import IntentEvents
internal import IntentKit
internal import IntentRuntime
internal import WireRules

/// The events that clients and apps read, on `responses` and `user-activities`.
extension EventRule {
    static let promptIssued = EventRule(
        .promptIssued,
        "A question to the user.",
        on: [.responses],
        attributes: Self.written(.promptIssued),
        data: [
            .required("promptId", .text(.promptID), "The prompt's id, for the answer."),
            .required("kind", .oneOf(PromptKind.self), "The kind of prompt."),
            .required("parameter", .orNull(.text(.nonEmpty)), "The parameter that the prompt is about, if any."),
            .required("index", .orNull(.integer(minimum: 0)), "The index of the value in a list."),
            .optional("askedBy", .oneOf(Stage.self), "The later stage that asks about a value that it cannot use."),
            .required("attempt", .text(.attempt), "The number of the attempt."),
            .required("accepts", Self.accepts, "The accepted answers."),
            .required("again", .orNull(Self.again), "What was wrong with the last answer, if the prompt repeats."),
            .required(
                "options",
                .list(.any),
                "The options. An answer gives the index of one in `choice`, its words or its number, or another value."
            ),
            .optional(
                "optionDisplays",
                .list(Self.display),
                "What the user sees of each option, in the same order; present if there are options."
            ),
            .required("item", .any, "The value in question."),
            .optional(
                "itemDisplay",
                Self.display,
                "What the user sees of the value in question; present if there is one."
            ),
            .required("reason", .orNull(Self.reason), "Why the value is in question."),
            .required("dialog", .text(.any), "The text for the user."),
            .required("expiresAt", .text(.ownTime), "When the prompt expires."),
            Self.follows,
            .optional("front", .boolean, "True if it is put once more, because it is in front again."),
            Self.setsAside,
            .required("intent", Self.intent, "The intent with its current values."),
            .required("response", .map(.any), "The details to show before the user confirms."),
            .optional(
                "status",
                .choice([INIntentHandlingStatus.userConfirmationRequired.rawValue]),
                "Present if the kind is intentConfirmation."
            ),
            Self.understood,
            .required("user", Self.writtenUser, "The user who is asked."),
            .optional("view", Self.view, "The view to show with the prompt."),
            .optional("warnings", Self.warnings, "What the client probably did not mean, if not named before."),
        ]
    )

    static let intentResponded = EventRule(
        .intentResponded,
        "The response to a request: the end of the interaction if it is terminal, otherwise progress.",
        on: [.responses],
        attributes: Self.written(.intentResponded),
        data: [
            .required("phase", .oneOf(Stage.self), "The stage that responds."),
            .required("code", .orNull(.text(.nonEmpty)), "The intent's response code, if any."),
            .required("status", .oneOf(INIntentHandlingStatus.self), "INIntentHandlingStatus."),
            .required("terminal", .boolean, "Whether the interaction has ended."),
            Self.understood,
            .required("endReason", .orNull(.oneOf(EndReason.self)), "Why the interaction ended; null if it has not."),
            .required("intent", Self.intent, "The intent with the values that were handled."),
            Self.follows,
            Self.setsAside,
            .optional("next", .text(.nonEmpty), "At the end, the interaction that is in front again."),
            .optional(
                "started",
                .list(Self.startedIntent),
                "What the handler starts: interactions, and later notifications."
            ),
            .required("response", .map(.any), "The handler's details."),
            .optional("dialog", .text(.any), "The handler's text for the user, if it gives one."),
            .optional(
                "progress",
                .members([
                    .optional("fraction", .number, "How much of the task is done, from 0 to 1."),
                    .optional("steps", .list(.text(.any)), "The names of the steps that are done."),
                    .optional("text", .text(.any), "What is being done, in the user's language."),
                ]),
                "What the running handler reports; only with the status inProgress."
            ),
            .optional(
                "paused",
                .members([.required("since", .text(.ownTime), "Since when.")]),
                "The task waits because operators have paused it; only with the status inProgress."
            ),
            .optional("retryUntil", .text(.ownTime), "Until when the task is tried again; the result follows."),
            .optional(
                "undoing",
                .list(.text(.any)),
                "The effects that are being undone, in that order; the end follows."
            ),
            .optional("undone", .list(.text(.any)), "At the end, the effects that were undone, in that order."),
            .optional("undo", Self.undo, "After a success, what undoes it if the client sends it in time."),
            .optional(
                "undoFailed",
                .list(
                    .members([
                        .required("effect", .text(.any), "The effect's name."),
                        .required("reason", .text(.any), "The handler's text for the user, or a code."),
                    ])
                ),
                "At the end, the effects that were to be undone and stay; they are among the effects."
            ),
            .required(
                "effects",
                .list(.text(.any)),
                "The names of the effects; complete at the end, unless effectsIncomplete is true."
            ),
            .optional(
                "effectsIncomplete",
                .boolean,
                "True if the ledger of effects could not be read at the end: there may be more effects than named."
            ),
            .required("userActivity", .orNull(.members(Self.activity)), "What the app needs to continue."),
            .required("view", .orNull(Self.view), "The view to show."),
            .required("ignoredParameters", .list(.text(.any)), "Parameters that the intent does not have."),
            .required("user", Self.writtenUser, "The user who made the request."),
            .optional(
                "warnings",
                Self.warnings,
                "What the client probably did not mean: at the end all of it, otherwise what was not named before."
            ),
        ]
    )

    static let statusUpdated = EventRule(
        .statusUpdated,
        "An update after the terminal response, such as the progress of a ride.",
        on: [.responses],
        attributes: Self.written(.statusUpdated),
        data: [
            .required("intent", Self.intent, "The intent."),
            .required("response", .map(.any), "The details of the update."),
            .optional("view", Self.view, "The view to show with the update."),
            .optional(
                "started",
                .list(
                    .members([
                        .required("interaction", .text(.nonEmpty), "Its id."),
                        .required("name", .text(.nonEmpty), "The handler's name for it."),
                        .required("state", .oneOf(FollowUpState.self), "Why it is not sent."),
                    ])
                ),
                "What the handler has started, and is not sent. Then there are no other news."
            ),
            .required("user", Self.writtenUser, "The user who made the request."),
        ]
    )

    static let userNotified = EventRule(
        .userNotified,
        "A handler notifies the user; no answer is expected.",
        on: [.responses],
        attributes: Self.written(.userNotified, subject: .sometimes, request: .sometimes),
        data: [
            .required("name", .text(.nonEmpty), "The handler's name for the notification."),
            .required("dialog", .text(.any), "The text for the user."),
            .required("details", .map(.any), "The details to show."),
            .optional("at", .text(.ownTime), "When it was due, if the handler gave a time."),
            .required("user", Self.writtenUser, "The user who is notified."),
        ]
    )

    static let eventRejected = EventRule(
        .eventRejected,
        "An event was rejected: it has nothing to act on.",
        on: [.responses],
        attributes: Self.written(.eventRejected, subject: .sometimes, request: .sometimes),
        data: [
            .required("eventId", .text(.any), "The event that was rejected."),
            .optional("promptId", .text(.any), "The prompt that the event names."),
            .required("reason", .oneOf(RejectionReason.self), "The reason."),
            .required("detail", .text(.nonEmpty), "What is wrong, and what is expected."),
            .optional("undo", Self.undo, "What undoes the interaction instead, if the client sends it in time."),
            .required("user", Self.writtenUser, "The user who sent the event."),
            .optional("warnings", Self.warnings, "What the client probably did not mean in the event."),
        ]
    )

    static let userActivityCreated = EventRule(
        .userActivityCreated,
        "What an app needs to continue an interaction that ended or was handed to it.",
        on: [.userActivities],
        attributes: Self.written(.userActivityCreated),
        data: Self.activity + [
            .required("user", Self.writtenUser, "The user of the activity."),
            .required(
                "interaction",
                .members([
                    .required("identifier", .text(.nonEmpty), "The interaction's id."),
                    .optional("groupIdentifier", .text(.any), "The group of the interaction."),
                    .required("intent", Self.intent, "The intent."),
                    .required("intentResponse", Self.intentResponse, "The response: its code and the details."),
                    .required("intentHandlingStatus", .oneOf(INIntentHandlingStatus.self), "INIntentHandlingStatus."),
                    .required("direction", .choice(["outgoing"]), "The initiator: the user."),
                    .required(
                        "dateInterval",
                        .members([
                            .required("start", .text(.ownTime), "When the request was made."),
                            .required("end", .text(.ownTime), "When the response was given."),
                        ]),
                        "The time of the interaction."
                    ),
                ]),
                "The interaction, always filled in."
            ),
        ]
    )

    /// An intent with its current values.
    static let intent = ValueRule.shared(
        "Intent",
        .members([
            .required("name", .text(.any), "The intent's name; empty if a request could not be read."),
            .required("parameters", .map(.any), "Values by parameter; see values.json for their forms."),
        ])
    )

    /// The reason why a value is in question.
    static let reason = ValueRule.shared(
        "Reason",
        .members([
            .required("code", .integer(), "The code: SiriKit's or the author's own."),
            .required("name", .text(.nonEmpty), "The reason's name."),
        ])
    )

    /// What the user sees of a value, in the language of the request.
    private static let display = ValueRule.shared(
        "Display",
        .members([
            .required("title", .text(.nonEmpty), "The title; of options that look the same, it ends with a number."),
            .optional("subtitle", .text(.nonEmpty), "What distinguishes it from values of the same title."),
            .optional("image", Self.image, "A picture of it."),
            .optional("synonyms", .list(.text(.nonEmpty)), "Other words for it."),
        ])
    )

    /// A picture of a value.
    static let image = ValueRule.members([
        .optional("url", .text(.nonEmpty), "Its address: https, http or data."),
        .optional("systemName", .text(.nonEmpty), "The name of a picture that the client has."),
    ])

    /// The request that undoes an interaction.
    private static let undo = ValueRule.shared(
        "Undo",
        .members([
            .required("intent", .choice([UndoInteraction.intentName]), "The name of the intent to request."),
            .required(
                "parameters",
                .members([.required("interaction", .text(.nonEmpty), "The interaction's id.")]),
                "Its parameters."
            ),
            .required("until", .text(.ownTime), "Until when it can be undone."),
        ])
    )

    /// What a prompt accepts.
    private static let accepts = ValueRule.shared(
        "Accepts",
        .members([
            .required("actions", .list(.choice(["accept", "decline", "cancel"])), "The accepted actions."),
            .optional("choices", .integer(minimum: 1), "The number of options; a choice is less than it."),
            .optional(
                "event",
                .choice([EventType.deviceUnlocked.rawValue, EventType.userAuthenticated.rawValue]),
                "The event that it waits for, if no answer can continue it."
            ),
            .optional(
                "value",
                .members([
                    .required("type", .text(.nonEmpty), "The value's type; see values.json."),
                    .required("list", .boolean, "Whether it is a list of them."),
                    .optional("minimum", .any, "The declared minimum."),
                    .optional("maximum", .any, "The declared maximum."),
                    .optional("pattern", .text(.any), "The regular expression that a whole value has to match."),
                    .optional("sensitive", .boolean, "True if typed text should be hidden."),
                    .optional("words", .boolean, "True if words in place of the value are read, such as tomorrow."),
                ]),
                "The values that an answer may have. The handler may refuse further values."
            ),
        ])
    )

    /// What an interaction follows from, for the user of both.
    private static let follows = MemberRule.optional(
        "follows",
        .members([
            .required("interaction", .text(.nonEmpty), "That interaction's id."),
            .required("name", .text(.nonEmpty), "The handler's name for this one."),
        ]),
        "The interaction that has started this one, if it is the same user's."
    )

    private static let setsAside = MemberRule.optional(
        "setsAside",
        .text(.nonEmpty),
        "The interaction that is set aside for this one."
    )

    private static let startedIntent = ValueRule.members([
        .required("name", .text(.nonEmpty), "The handler's name for it."),
        .required("interaction", .text(.nonEmpty), "The id of the new interaction, or of the notification."),
        .optional("intent", .text(.nonEmpty), "The intent's name; absent for a notification."),
        .optional("at", .text(.ownTime), "When it is sent, if later."),
        .optional("user", .text(.nonEmpty), "The user, if it is another one."),
    ])

    /// The words that were read as values.
    private static let understood = MemberRule.optional(
        "understood",
        .map(.either([Self.understoodWords, .list(Self.understoodWords)])),
        "The words that were read as values, by parameter; for a list, one element for each of them."
    )

    private static let understoodWords = ValueRule.shared(
        "Understood",
        .members([
            .required("said", .text(.nonEmpty), "What the user said."),
            .required("value", .any, "The value that was understood."),
            .required("display", Self.display, "What to show of the value."),
        ])
    )

    /// What was wrong with an answer.
    static let again = ValueRule.shared(
        "Again",
        .members([
            .required("reason", .oneOf(AskedAgain.Reason.self), "What was wrong."),
            .required("detail", .text(.nonEmpty), "The same in words, with what is expected."),
        ])
    )

    /// What a client probably did not mean (R79).
    private static let warnings = ValueRule.list(
        .shared(
            "Warning",
            .members(
                Self.mistake + [
                    .required("detail", .text(.nonEmpty), "The same in words."),
                    .required("eventId", .text(.any), "The event."),
                ]
            )
        )
    )

    /// What a client probably did not mean, where the event is known.
    static let mistake: [MemberRule] = [
        .required("member", .text(.any), "The path of the member in the event's data, or the attribute's name."),
        .required("problem", .oneOf(ClientMistake.Problem.self), "What is wrong with it."),
        .optional("didYouMean", .text(.any), "The name that was probably meant."),
    ]

    /// The user of an event that intentd writes.
    static let writtenUser = ValueRule.shared("User", .members([.required("id", .text(.nonEmpty), "The user's id.")]))

    /// A view that a presenter has drawn.
    private static let view = ValueRule.shared(
        "View",
        .members([
            .required("context", .oneOf(Presentation.Context.self), "Where the view is to be shown."),
            .required("html", .text(.any), "The markup; text from users is escaped."),
            .required("desiredSize", Self.size(minimum: 1), "The preferred size, in points."),
            .required("displays", .list(.oneOf(PresentedView.Content.self)), "What the view shows by itself."),
        ])
    )

    /// A size in points.
    static func size(minimum: Int64) -> ValueRule {
        let side = ValueRule.integer(minimum: minimum, maximum: Int64(ViewSize.limit))
        return .members([.required("width", side, "The width."), .required("height", side, "The height.")])
    }

    private static let intentResponse = ValueRule.map(.any)

    private static let activity: [MemberRule] = [
        .required("activityType", .text(.any), "The activity's type. The default is the intent's name."),
        .optional("title", .text(.any), "A title to show."),
        .required("userInfo", .map(.any), "Data for the app: error texts, deep links."),
    ]
}
