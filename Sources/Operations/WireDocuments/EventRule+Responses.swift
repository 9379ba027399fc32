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
            .required("attempt", .text(.attempt), "The number of the attempt."),
            .required("accepts", Self.accepts, "The accepted answers."),
            .required("again", .orNull(Self.again), "What was wrong with the last answer, if the prompt repeats."),
            .required(
                "options",
                .list(.any),
                "The options. An answer gives the index of one in `choice`, or another value."
            ),
            .required("item", .any, "The value in question."),
            .required("reason", .orNull(Self.reason), "Why the value is in question."),
            .required("dialog", .text(.any), "The text for the user."),
            .required("expiresAt", .text(.ownTime), "When the prompt expires."),
            .required("intent", Self.intent, "The intent with its current values."),
            .required("response", .map(.any), "The details to show before the user confirms."),
            .optional(
                "status",
                .choice([INIntentHandlingStatus.userConfirmationRequired.rawValue]),
                "Present if the kind is intentConfirmation."
            ),
            .required("user", Self.writtenUser, "The user who is asked."),
            .optional("view", Self.view, "The view to show with the prompt."),
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
            .required("endReason", .orNull(.oneOf(EndReason.self)), "Why the interaction ended; null if it has not."),
            .required("intent", Self.intent, "The intent with the values that were handled."),
            .required("response", .map(.any), "The handler's details."),
            .optional("dialog", .text(.any), "The handler's text for the user, if it gives one."),
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
            .required("user", Self.writtenUser, "The user who made the request."),
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
            .required("user", Self.writtenUser, "The user who sent the event."),
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
                ]),
                "The values that an answer may have. The handler may refuse further values."
            ),
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
