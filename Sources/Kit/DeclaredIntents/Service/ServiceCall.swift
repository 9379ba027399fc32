import IntentKit
import WireRules

/// The calls to a service: the name is the last part of the address that is posted to.
enum ServiceCall: String, Sendable, CaseIterable {
    /// What the open parameters mean.
    case resolve
    /// Whether it could be done now.
    case confirm
    case handle
    /// The outcome of a post to `handle`.
    case lookup
    /// The state of things after it was done.
    case status
    /// What was done is taken back.
    case undo
}

/// The outcome of a post, as a service returns it from `lookup`.
enum PostOutcome: String, Sendable, CaseIterable {
    /// It was done; the answer has what `handle` would have answered.
    case done
    /// It was not done, and will not be.
    case notDone
    /// The service does not know.
    case unknown
}

extension ServiceCall {
    /// Whether it carries the key of a task, or of an undo, and is tried again by the definition's policy.
    var hasKey: Bool { [.handle, .lookup, .undo].contains(self) }

    /// The call in a sentence.
    var summary: String {
        switch self {
        case .resolve: "Resolves the open parameters: returns one of six outcomes for each, or ends the interaction."
        case .confirm: "Checks that the intent could be handled now, without doing it."
        case .handle: "Performs the intent, once per Idempotency-Key, and reports the result."
        case .lookup: "Reports what became of a call of handle with this Idempotency-Key, and performs nothing."
        case .status: "Reports the current status after handle has reported success."
        case .undo: "Undoes what handle has done, once per Idempotency-Key, or refuses."
        }
    }

    var request: ObjectRule {
        switch self {
        case .resolve: ObjectRule(Self.envelope + Self.openParameters)
        case .confirm, .handle, .lookup, .status: ObjectRule(Self.envelope)
        case .undo:
            ObjectRule(
                Self.envelope + [
                    .required("result", .map(.any), "The service's own answer to handle, which is undone.")
                ]
            )
        }
    }

    var answer: ObjectRule {
        switch self {
        case .resolve:
            ObjectRule([
                .required(
                    "parameters",
                    .map(.either([Self.outcome, .list(Self.outcome)])),
                    "The outcome of each parameter named in open; for a list with values, an array with one for each."
                )
            ])
        case .confirm:
            ObjectRule(
                Self.report + [
                    .optional(
                        "requiresUserConfirmation",
                        .boolean,
                        "Whether the user has to confirm first, if the definition's confirmation is byHandler.",
                        standard: false
                    ),
                    .optional(
                        "requiresAuthentication",
                        .boolean,
                        "Whether the user has to sign in first; confirm is called again afterwards.",
                        standard: false
                    ), Self.ask,
                ]
            )
        case .handle: ObjectRule(Self.report + [Self.ask] + Self.followUps)
        case .lookup:
            ObjectRule(
                [
                    .required(
                        "outcome",
                        .choice(PostOutcome.allCases.map(\.rawValue)),
                        "done, with the answer of handle; notDone, if it was not done and will not be; unknown."
                    ),
                    .optional("code", .text(.nonEmpty), "One of the definition's codes; required with done."),
                    Self.details, Self.dialog, Self.userActivity, Self.ask,
                ] + Self.followUps
            )
        case .status:
            ObjectRule([
                .optional("details", .map(.any), "The details to report; the user is notified when they have changed."),
                .optional("isLast", .boolean, "Whether this is the last status.", standard: false),
            ])
        case .undo:
            ObjectRule([
                .required(
                    "code",
                    .choice([Self.undone, Self.undoRefused]),
                    "Whether it is undone, or cannot be undone any more."
                ),
                .optional("dialog", .text(.nonEmpty), "Why it cannot, for the user, in the language of the request."),
            ])
        }
    }

    /// What earlier versions of intentd ignore in answers: a service finds it in `accepts`.
    var abilities: [String] {
        switch self {
        case .resolve: ["ending", "options"]
        case .confirm: ["ask"]
        case .handle, .lookup: ["ask", "cancel", "notify", "start"]
        case .status, .undo: []
        }
    }

    /// The codes of an answer to `undo`.
    static let undone = "success"
    static let undoRefused = "failureUndoRefused"

    /// The largest number of options in an outcome.
    static let maximumOptions = 100

    /// The members of an outcome, by its name.
    static let outcomes: [(name: String, summary: String, rule: ObjectRule)] = [
        (
            "success", "The value is accepted; it may differ from what the user said.",
            Self.outcome("success", [Self.value])
        ),
        ("notRequired", "Settled without a value; for a list, the whole list.", Self.outcome("notRequired", [])),
        (
            "needsValue", "The user is asked for a value; for a list, for the whole list.",
            Self.outcome("needsValue", [Self.dialog])
        ),
        (
            "disambiguation", "The user picks one of the options.",
            Self.outcome(
                "disambiguation",
                [
                    .required(
                        "options",
                        .list(.either([.shared("Option", .object(Self.option)), .any])),
                        "The values to pick from, alone or with their words, \(Self.maximumOptions) at most."
                    ),
                    Self.dialog,
                ]
            )
        ),
        (
            "confirmationRequired", "The user is asked whether this value is meant.",
            Self.outcome(
                "confirmationRequired",
                [
                    Self.value, .optional("title", .text(.nonEmpty), Self.titleSummary), Self.reason, Self.dialog,
                ] + Self.words
            )
        ),
        (
            "unsupported", "The value is rejected, and the user is asked for another one.",
            Self.outcome("unsupported", [Self.reason, Self.dialog])
        ),
        (
            "ending", "The interaction ends: no answer of the user would help.",
            Self.outcome(
                "ending",
                [
                    .required(
                        "code",
                        .text(.nonEmpty),
                        "One of the definition's codes that begin with failure, or continueInApp."
                    ),
                    Self.details, Self.dialog, Self.userActivity,
                ]
            )
        ),
    ]

    /// A value with its words.
    static let option = ObjectRule(
        [Self.value, .required("title", .text(.nonEmpty), Self.titleSummary)] + Self.words
    )

    private static let titleSummary = "What the user sees of the value, in the language of the request."

    /// What may be said of a value that has a title.
    private static let words: [MemberRule] = [
        .optional("subtitle", .text(.nonEmpty), "What distinguishes it from values of the same title."),
        .optional("image", .text(.nonEmpty), "The address of a picture: https, http or data."),
        .optional(
            "synonyms",
            .list(.text(.nonEmpty)),
            "Other words for it, \(DisplayRepresentation.maximumSynonyms) at most."
        ),
    ]

    private static let value = MemberRule.required("value", .any, "A value of the parameter's type; see values.json.")
    private static let reason = MemberRule.optional(
        "reason",
        .text(.nonEmpty),
        "The name of one of the parameter's reasons."
    )

    private static let dialog = MemberRule.optional(
        "dialog",
        .text(.nonEmpty),
        "The text for the user, in the language of the request, instead of the default one."
    )

    private static func outcome(_ name: String, _ members: [MemberRule]) -> ObjectRule {
        ObjectRule([.required("outcome", .choice([name]), "The outcome.")] + members)
    }

    /// One of the six outcomes, or the end.
    private static let outcome = ValueRule.shared(
        "Outcome",
        .either(Self.outcomes.map { .shared($0.name, .object($0.rule)) })
    )

    /// The members of every call.
    private static let envelope: [MemberRule] = [
        .required(
            "intent",
            .shared(
                "Intent",
                .members([
                    .required("name", .text(.nonEmpty), "The intent's name."),
                    .required("parameters", .map(.any), "Values by parameter; see values.json for their forms."),
                ])
            ),
            "The intent, with its current values."
        ),
        .required(
            "interaction",
            .shared(
                "Interaction",
                .members([
                    .required("identifier", .text(.nonEmpty), "The interaction's id, which a client chose."),
                    .optional("groupIdentifier", .text(.any), "The id of the group that it belongs to."),
                ])
            ),
            "The interaction that the call belongs to."
        ),
        .optional(
            "followsFrom",
            .members([
                .required("name", .text(.nonEmpty), "The name that the handler gave it."),
                .optional("interaction", .text(.nonEmpty), "That interaction's id, if it is the same user's."),
            ]),
            "The interaction that has started this one, if one has."
        ),
        .required(
            "user",
            .shared("User", .members([.required("id", .text(.nonEmpty), "The user's id.")])),
            "The user's id."
        ),
        .required(
            "device",
            .shared(
                "Device",
                .members([
                    .optional("id", .text(.any), "The device's id."),
                    .optional("isLocked", .boolean, "Whether it is locked."),
                    .optional("appVersion", .text(.any), "The app's version on it."),
                ])
            ),
            "The user's device, as far as the request describes it."
        ),
        .required("locale", .text(.any), "The user's language, such as en-US."),
        .required("timeZone", .text(.nonEmpty), "The IANA name of the user's time zone, such as Europe/Berlin."),
        .required("time", .text(.nonEmpty), "The time of the turn, such as 2026-11-21T12:30:00.000Z."),
        .required(
            "accepts",
            .list(.text(.nonEmpty)),
            "What this version of intentd accepts in answers to this call, beyond what every version accepts."
        ),
    ]

    private static let openParameters: [MemberRule] = [
        .optional(
            "declined",
            .map(.list(.any)),
            "The values that the user was offered and has declined, by parameter, the oldest first."
        ),
        .required(
            "open",
            .list(.text(.nonEmpty)),
            "The parameters to resolve, in the order of their declaration; the others are settled."
        ),
        .required(
            "vocabulary",
            .list(
                .shared(
                    "Words",
                    .members([
                        .required("parameter", .text(.nonEmpty), "The parameter."),
                        .required("words", .text(.any), "The user's words."),
                        .required(
                            "matches",
                            .list(.shared("Match", .members(Self.match))),
                            "The matching entries, the user's own vocabulary first, in order of importance."
                        ),
                    ])
                )
            ),
            "The vocabularies' matches for the words of open parameters that have a vocabulary."
        ),
    ]

    private static let match: [MemberRule] = [
        .required("source", .choice(["user", "global"]), "The vocabulary: the user's own, or the global one."),
        .required(
            "means",
            .choice(["identifier", "phrase", "synonym", "pronunciation"]),
            "The part of the entry that equals the words."
        ),
        .required("index", .integer(minimum: 0), "The entry's index in the vocabulary, from 0."),
        .required("phrase", .text(.any), "The entity's first phrase: how the app writes it."),
        .optional("identifier", .text(.any), "The entity's identifier."),
    ]

    private static let report: [MemberRule] = [
        .required("code", .text(.nonEmpty), "One of the definition's codes."), Self.details, Self.dialog,
        Self.userActivity,
    ]

    private static let ask = MemberRule.optional(
        "ask",
        .shared(
            "Ask",
            .members(
                [
                    .required("parameter", .text(.nonEmpty), "The parameter whose value cannot be used."),
                    .optional("at", .integer(minimum: 0), "The index of the value in a list."),
                    .required(
                        "outcome",
                        .choice(["needsValue", "disambiguation", "confirmationRequired", "unsupported"]),
                        "What is asked."
                    ),
                    .optional(
                        "options",
                        .list(.either([.shared("Option", .object(Self.option)), .any])),
                        "The values to pick from, for disambiguation, alone or with their words."
                    ),
                    .optional("value", .any, "The value to confirm, for confirmationRequired."),
                    .optional("title", .text(.nonEmpty), Self.titleSummary), Self.reason, Self.dialog,
                ] + Self.words
            )
        ),
        "A question about a value, to which the interaction goes back instead of ending with the code."
    )

    /// What is sent when the response is committed (R77).
    private static let followUps: [MemberRule] = [
        .optional(
            "start",
            .list(
                .shared(
                    "Start",
                    .members(
                        Self.followUp + [
                            .required("intent", .text(.nonEmpty), "The intent's name."),
                            .optional("parameters", .map(.any), "Values by parameter; see values.json."),
                            .optional("dialog", .text(.nonEmpty), "What its first prompt begins with."),
                        ]
                    )
                )
            ),
            "Intents that begin when the response is committed, each an interaction of its own."
        ),
        .optional(
            "notify",
            .list(
                .shared(
                    "Notification",
                    .members(
                        Self.followUp + [
                            .required("dialog", .text(.nonEmpty), "The text for the user."),
                            .optional("details", .map(.any), "Details to show."),
                        ]
                    )
                )
            ),
            "Notifications that are sent beside the response."
        ),
        .optional("cancel", .list(.text(.nonEmpty)), "The ids of follow-ups of this user to cancel."),
    ]

    private static let followUp: [MemberRule] = [
        .required("name", .text(.nonEmpty), "Its name, unique in the interaction."),
        .optional("user", .text(.nonEmpty), "The id of the user whom it is for, if it is another one."),
        .optional("at", .text(Self.dateTime), "When, up to 90 days from now, if not now."),
    ]

    private static let dateTime = TextForm(
        "a date and time such as 2026-11-21T12:30:00Z",
        pattern:
            #"^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?([Zz]|[+-][0-9]{2}:[0-9]{2})$"#
    ) { OffsetDateTime($0) != nil }

    private static let details = MemberRule.optional(
        "details",
        .map(.any),
        "The details that the user sees, by name: before a yes, and with the answer."
    )

    private static let userActivity = MemberRule.optional(
        "userActivity",
        .shared(
            "UserActivity",
            .members([
                .optional("activityType", .text(.any), "The activity's type; the intent's name if it is left out."),
                .optional("title", .text(.any), "A title to show."),
                .optional("userInfo", .map(.any), "Data for the app: error texts, deep links."),
            ])
        ),
        "The data with which the app continues."
    )
}
