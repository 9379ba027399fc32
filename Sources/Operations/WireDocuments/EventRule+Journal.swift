internal import IntentEvents
internal import IntentKit
internal import WireRules

/// The record of what a turn depended on and did, on `journal`.
extension EventRule {
    static let turnJournaled = EventRule(
        .turnJournaled,
        "The inputs and results of a turn: enough to run it again (R42).",
        on: [.journal],
        attributes: Self.written(
            .turnJournaled,
            subject: .sometimes,
            stage: .always,
            request: .sometimes,
            // An event that cannot be decoded may have no user.
            hasUser: false,
            passesThrough: false
        ),
        data: [
            .optional("behaviour", .integer(minimum: 2), "The behaviour of the version that ran it; 1 without it."),
            .required("position", .text(.position), "The event that was processed."),
            .optional("generation", .integer(minimum: 1), "Which continuation of that event it is; none without it."),
            .required(
                "event",
                .members([
                    .required("type", .text(.any), "The event's type."),
                    .required("digest", .text(.digestOrNothing), "SHA-256 of its key, value and headers."),
                ]),
                "The event; its id is in ce_causationid."
            ),
            .optional("intent", .text(.any), "The intent's name."),
            .optional("opened", .boolean, "Whether this turn began the interaction."),
            .optional("at", .text(.ownTime), "The turn's clock, where ce_time is when the last handler answered."),
            .optional("firstTriedAt", .text(.ownTime), "When the first try began, if this is a later one."),
            .optional("attempt", .integer(minimum: 2), "Which try it was; the first without it."),
            .required("worker", .text(.any), "Who ran it."),
            .optional(
                "handler",
                .members([
                    .required("name", .text(.nonEmpty), "The handler's name."),
                    .required("version", .text(.any), "The handler's version."),
                ]),
                "The handler, if one ran."
            ),
            .optional("scripted", .boolean, "Whether a handler saw what a scenario wants the service to answer."),
            .optional("truncated", .boolean, "Whether what it read was too large to be kept."),
            .optional("redriven", .boolean, "Whether the request, which claims it, was proved to be one sent again."),
            .optional(
                "crash",
                .members([
                    .required("deaths", .integer(minimum: 1), "How many processes died while it ran."),
                    .optional("undecoded", .boolean, "Whether they died while the event was read."),
                ]),
                "The verdict under which it ended without its handler."
            ),
            .required("outcome", .oneOf(TurnOutcome.self), "What became of it."),
            .optional("before", .map(.any), "The state entries that it read, as they were; null for none."),
            .optional("reads", .list(.shared("JournalRead", Self.read)), "Answers from outside, in order."),
            .optional(
                "outputs",
                .list(.list(.text(.any))),
                "What it wrote, in order: pairs of a topic (`state:` and the entry's name for state) and the SHA-256 of "
                    + "what was written, which is empty for what was removed."
            ),
            .required(
                "previous",
                .text(.digestOrNothing),
                "The digest of the stage's turn before it in this partition: of its record's key, value and headers."
            ),
        ]
    )

    private static let read = ValueRule.either([
        .members(Self.access + [.required("value", .any, "What came of it.")]),
        .members(
            Self.access + [
                .required(
                    "error",
                    .members([
                        .required("message", .text(.any), "What went wrong."),
                        .required("transient", .boolean, "Whether it may pass."),
                        .optional("client", .text(.any), "What clients are told of it."),
                    ]),
                    "The error."
                )
            ]
        ),
    ])

    private static let access: [MemberRule] = [
        .required("kind", .oneOf(JournalRead.Kind.self), "What kind of access it was."),
        .required("name", .text(.any), "The name that the handler gave it."),
    ]
}
