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
            .required("kind", .oneOf(PromptKind.self), "What it asks."),
            .required("parameter", .orNull(.text(.nonEmpty)), "The parameter in question, if it is about one."),
            .required("index", .orNull(.integer(minimum: 0)), "Which value of a list."),
            .required("attempt", .text(.attempt), "How often it was asked before."),
            .required("accepts", Self.accepts, "What may be answered."),
            .required("again", .orNull(Self.again), "What was wrong with the last answer, if that is why it is asked."),
            .required(
                "options",
                .list(.any),
                "What may be chosen: an answer says which by `choice`, or gives another value."
            ),
            .required("item", .any, "The value in question."),
            .required("reason", .orNull(Self.reason), "Why the value is in question."),
            .required("dialog", .text(.any), "What to say to the user."),
            .required("expiresAt", .text(.ownTime), "When it is too late to answer."),
            .required("intent", Self.intent, "What the user wants, as it is now."),
            .required("response", .map(.any), "What the user should see before saying yes."),
            .optional(
                "status",
                .choice([INIntentHandlingStatus.userConfirmationRequired.rawValue]),
                "There where the kind is intentConfirmation."
            ),
            .required("user", Self.writtenUser, "Who is asked."),
            .optional("view", Self.view, "What to show beside the question."),
        ]
    )

    static let intentResponded = EventRule(
        .intentResponded,
        "What became of a request: the end if it is terminal, else news on the way.",
        on: [.responses],
        attributes: Self.written(.intentResponded),
        data: [
            .required("phase", .oneOf(Stage.self), "The stage that answers."),
            .required("code", .orNull(.text(.nonEmpty)), "The intent's own response code, where it has one."),
            .required("status", .oneOf(INIntentHandlingStatus.self), "INIntentHandlingStatus."),
            .required("terminal", .boolean, "Whether this is the end."),
            .required("endReason", .orNull(.oneOf(EndReason.self)), "Why it ended; null when it has not."),
            .required("intent", Self.intent, "What the user wanted, as it was done."),
            .required("response", .map(.any), "The handler's details."),
            .optional("dialog", .text(.any), "What to say to the user, where the handler has words of its own."),
            .required(
                "effects",
                .list(.text(.any)),
                "The names of what was done: at the end all of it, unless effectsIncomplete says otherwise."
            ),
            .optional(
                "effectsIncomplete",
                .boolean,
                "True where the ledger of effects could not be asked at the end: more may have been done than is named."
            ),
            .required("userActivity", .orNull(.members(Self.activity)), "What the app needs to continue."),
            .required("view", .orNull(Self.view), "What to show."),
            .required("ignoredParameters", .list(.text(.any)), "Parameters that the intent does not have."),
            .required("user", Self.writtenUser, "Who asked."),
        ]
    )

    static let statusUpdated = EventRule(
        .statusUpdated,
        "News after the terminal response, such as a ride on its way.",
        on: [.responses],
        attributes: Self.written(.statusUpdated),
        data: [
            .required("intent", Self.intent, "What the user wanted."),
            .required("response", .map(.any), "The news."),
            .optional("view", Self.view, "What to show beside the news."),
            .required("user", Self.writtenUser, "Who asked."),
        ]
    )

    static let eventRejected = EventRule(
        .eventRejected,
        "An event found nothing to act on.",
        on: [.responses],
        attributes: Self.written(.eventRejected, subject: .sometimes, request: .sometimes),
        data: [
            .required("eventId", .text(.any), "The event that was rejected."),
            .optional("promptId", .text(.any), "The prompt that it named."),
            .required("reason", .oneOf(RejectionReason.self), "Why."),
            .required("detail", .text(.nonEmpty), "What is wrong, and what would be right."),
            .required("user", Self.writtenUser, "Whose event it was."),
        ]
    )

    static let userActivityCreated = EventRule(
        .userActivityCreated,
        "What an app needs to continue an interaction that ended or was handed to it.",
        on: [.userActivities],
        attributes: Self.written(.userActivityCreated),
        data: Self.activity + [
            .required("user", Self.writtenUser, "Whose activity it is."),
            .required(
                "interaction",
                .members([
                    .required("identifier", .text(.nonEmpty), "The interaction's id."),
                    .optional("groupIdentifier", .text(.any), "What it belongs to."),
                    .required("intent", Self.intent, "What the user wanted."),
                    .required("intentResponse", Self.intentResponse, "The response: its code and the details."),
                    .required("intentHandlingStatus", .oneOf(INIntentHandlingStatus.self), "INIntentHandlingStatus."),
                    .required("direction", .choice(["outgoing"]), "Who asked: the user."),
                    .required(
                        "dateInterval",
                        .members([
                            .required("start", .text(.ownTime), "When it was asked for."),
                            .required("end", .text(.ownTime), "When it was answered."),
                        ]),
                        "When."
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
            .required("code", .integer(), "SiriKit's number, or the author's own."),
            .required("name", .text(.nonEmpty), "The reason's name."),
        ])
    )

    /// What a prompt accepts.
    private static let accepts = ValueRule.shared(
        "Accepts",
        .members([
            .required("actions", .list(.choice(["accept", "decline", "cancel"])), "The actions that are taken."),
            .optional("choices", .integer(minimum: 1), "The number of options: a choice is below it."),
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
                    .optional("minimum", .any, "The least value that is declared."),
                    .optional("maximum", .any, "The greatest value that is declared."),
                    .optional("pattern", .text(.any), "The regular expression that a whole value has to match."),
                    .optional("sensitive", .boolean, "True if typed text should be hidden."),
                ]),
                "The value that an answer may have; its handler may refuse more than what is declared."
            ),
        ])
    )

    /// What was wrong with an answer.
    static let again = ValueRule.shared(
        "Again",
        .members([
            .required("reason", .oneOf(AskedAgain.Reason.self), "What was wrong."),
            .required("detail", .text(.nonEmpty), "The same in words, and what would be right."),
        ])
    )

    /// The user of an event that intentd writes.
    static let writtenUser = ValueRule.shared("User", .members([.required("id", .text(.nonEmpty), "The user's id.")]))

    /// A view that a presenter has drawn.
    private static let view = ValueRule.shared(
        "View",
        .members([
            .required("context", .oneOf(Presentation.Context.self), "Where it is to be shown."),
            .required("html", .text(.any), "The markup; what came from users is escaped."),
            .required("desiredSize", Self.size(minimum: 1), "The size that it would like, in points."),
            .required("displays", .list(.oneOf(PresentedView.Content.self)), "What it shows by itself."),
        ])
    )

    /// A size in points.
    static func size(minimum: Int64) -> ValueRule {
        let side = ValueRule.integer(minimum: minimum, maximum: Int64(ViewSize.limit))
        return .members([.required("width", side, "The width."), .required("height", side, "The height.")])
    }

    private static let intentResponse = ValueRule.map(.any)

    private static let activity: [MemberRule] = [
        .required("activityType", .text(.any), "The activity's type; the intent's name where nothing else was said."),
        .optional("title", .text(.any), "A title to show."),
        .required("userInfo", .map(.any), "Data for the app: error texts, deep links."),
    ]
}
