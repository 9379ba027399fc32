import IntentKit
import WireRules

/// The calls to a service: the name is the last part of the address that is posted to.
enum ServiceCall: String, Sendable, CaseIterable {
    /// What the open parameters mean.
    case resolve
    /// Whether it could be done now.
    case confirm
    case handle
    /// The state of things after it was done.
    case status
}

extension ServiceCall {
    /// The call in a sentence.
    var summary: String {
        switch self {
        case .resolve: "Says of every parameter that is open what its value means, in one of six outcomes."
        case .confirm: "Checks that the intent could be handled now, without doing it."
        case .handle: "Does it, once for each Idempotency-Key, and reports what was done."
        case .status: "Says how things stand after the last word of handle was success."
        }
    }

    var request: ObjectRule {
        switch self {
        case .resolve: ObjectRule(Self.envelope + Self.openParameters)
        case .confirm, .handle, .status: ObjectRule(Self.envelope)
        }
    }

    var answer: ObjectRule {
        switch self {
        case .resolve:
            ObjectRule([
                .required(
                    "parameters",
                    .map(.either([Self.outcome, .list(Self.outcome)])),
                    "What each parameter named in open comes to; of a list with values an array, one outcome for each."
                )
            ])
        case .confirm:
            ObjectRule(
                Self.report + [
                    .optional(
                        "requiresUserConfirmation",
                        .boolean,
                        "Whether the user is asked first, where the definition's confirmation is byHandler.",
                        standard: false
                    ),
                    .optional(
                        "requiresAuthentication",
                        .boolean,
                        "Whether the user has to sign in first; confirm is asked again then.",
                        standard: false
                    ),
                ]
            )
        case .handle: ObjectRule(Self.report)
        case .status:
            ObjectRule([
                .optional("details", .map(.any), "What there is to tell; the user hears of it when it has changed."),
                .optional("isLast", .boolean, "Whether nothing more will come.", standard: false),
            ])
        }
    }

    /// The largest number of options in an outcome.
    static let maximumOptions = 100

    /// The members of an outcome, by its name.
    static let outcomes: [(name: String, summary: String, rule: ObjectRule)] = [
        (
            "success", "Goes on with the value, which may differ from what was said.",
            Self.outcome("success", [Self.value])
        ),
        ("notRequired", "Settled without a value; of a list, the whole list.", Self.outcome("notRequired", [])),
        (
            "needsValue", "The user is asked for a value; of a list, for the whole list.",
            Self.outcome("needsValue", [Self.dialog])
        ),
        (
            "disambiguation", "The user picks one of the options.",
            Self.outcome(
                "disambiguation",
                [
                    .required("options", .list(.any), "The values to pick from, \(Self.maximumOptions) at most."),
                    Self.dialog,
                ]
            )
        ),
        (
            "confirmationRequired", "The user is asked whether this value is meant.",
            Self.outcome("confirmationRequired", [Self.value, Self.reason, Self.dialog])
        ),
        (
            "unsupported", "The user is told that the value cannot be taken, and asked for another.",
            Self.outcome("unsupported", [Self.reason, Self.dialog])
        ),
    ]

    private static let value = MemberRule.required("value", .any, "A value of the parameter's type; see values.json.")
    private static let reason = MemberRule.optional(
        "reason",
        .text(.nonEmpty),
        "Why, by the name of one of the parameter's reasons."
    )

    private static let dialog = MemberRule.optional(
        "dialog",
        .text(.nonEmpty),
        "What to say to the user, in the language of the request, instead of the usual words."
    )

    private static func outcome(_ name: String, _ members: [MemberRule]) -> ObjectRule {
        ObjectRule([.required("outcome", .choice([name]), "Which outcome it is.")] + members)
    }

    /// One of the six outcomes.
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
            "What the user wants, with the values as they are now."
        ),
        .required(
            "interaction",
            .shared(
                "Interaction",
                .members([
                    .required("identifier", .text(.nonEmpty), "The interaction's id: a client made it up."),
                    .optional("groupIdentifier", .text(.any), "What it belongs to."),
                ])
            ),
            "The conversation that this is a part of."
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
            "From which device, as far as the request says."
        ),
        .required("locale", .text(.any), "The user's language, such as en-US."),
        .required("time", .text(.nonEmpty), "The time of the turn, such as 2026-11-21T12:30:00.000Z."),
    ]

    private static let openParameters: [MemberRule] = [
        .required(
            "open",
            .list(.text(.nonEmpty)),
            "The parameters to answer, in the order in which they are declared; the others are settled."
        ),
        .required(
            "vocabulary",
            .list(
                .shared(
                    "Words",
                    .members([
                        .required("parameter", .text(.nonEmpty), "The parameter."),
                        .required("words", .text(.any), "What was said."),
                        .required(
                            "matches",
                            .list(.shared("Match", .members(Self.match))),
                            "What it means: the user's own vocabulary first, in order of importance."
                        ),
                    ])
                )
            ),
            "What vocabularies know of the words of open parameters that have one."
        ),
    ]

    private static let match: [MemberRule] = [
        .required("source", .choice(["user", "global"]), "Whose vocabulary it is: the user's own, or everybody's."),
        .required(
            "means",
            .choice(["identifier", "phrase", "synonym", "pronunciation"]),
            "What of the entry the words are equal to."
        ),
        .required("index", .integer(minimum: 0), "The entry's place in the vocabulary, from 0."),
        .required("phrase", .text(.any), "The entity's first phrase: how the app writes it."),
        .optional("identifier", .text(.any), "The entity's identifier."),
    ]

    private static let report: [MemberRule] = [
        .required("code", .text(.nonEmpty), "One of the codes that the definition knows."),
        .optional("details", .map(.any), "What the user sees, by name: before a yes, and with the answer."),
        Self.dialog,
        .optional(
            "userActivity",
            .shared(
                "UserActivity",
                .members([
                    .optional("activityType", .text(.any), "The activity's type; the intent's name if it is left out."),
                    .optional("title", .text(.any), "A title to show."),
                    .optional("userInfo", .map(.any), "Data for the app: error texts, deep links."),
                ])
            ),
            "What the app gets to go on with."
        ),
    ]
}
