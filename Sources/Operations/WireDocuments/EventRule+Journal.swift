internal import IntentEvents
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
            .optional(
                "generation",
                .integer(minimum: 1),
                "The number of the continuation of that event; absent in the first turn."
            ),
            .required(
                "event",
                .members([
                    .required("type", .text(.any), "The event's type."),
                    .required("digest", .text(.digestOrNothing), "SHA-256 of its key, value and headers."),
                ]),
                "The event; its id is in ce_causationid."
            ),
            .optional("intent", .text(.any), "The intent's name."),
            .optional("opened", .boolean, "Whether this turn started the interaction."),
            .optional(
                "at",
                .text(.ownTime),
                "The time of the turn, if ce_time is the time at which the last handler answered."
            ),
            .optional("firstTriedAt", .text(.ownTime), "When the first attempt started, if this is a later one."),
            .optional("attempt", .integer(minimum: 2), "The number of the attempt; 1 without it."),
            .required("worker", .text(.any), "The worker that ran it."),
            .optional(
                "handler",
                .members([
                    .required("name", .text(.nonEmpty), "The handler's name."),
                    .required("version", .text(.any), "The handler's version."),
                ]),
                "The handler, if one ran."
            ),
            .optional("scripted", .boolean, "Whether a scenario controlled the service's answer."),
            .optional("truncated", .boolean, "Whether the turn's reads were too large to be kept."),
            .optional("redriven", .boolean, "Whether the request was proved to be a redriven one."),
            .optional("decided", .boolean, "Whether the decision was proved to be an operator's."),
            .optional(
                "crash",
                .members([
                    .required("deaths", .integer(minimum: 1), "How many processes crashed while it ran."),
                    .optional("undecoded", .boolean, "Whether they crashed while the event was decoded."),
                ]),
                "The verdict under which it ended without its handler."
            ),
            .optional("held", Self.pause, "The pause that held the interaction."),
            .optional("note", Self.note, "What the running handler said; the record is about that alone."),
            .optional(
                "wait",
                .members([
                    .required("attempt", .integer(minimum: 1), "The number of the next attempt."),
                    .required("attempts", .integer(minimum: 0), "How many attempts there are at most."),
                    .optional("nextAt", .text(.ownTime), "When it begins; absent where an operator is waited for."),
                ]),
                "What the interaction waits for, if it is its next attempt or an operator."
            ),
            .required("outcome", .oneOf(TurnOutcome.self), "The outcome of the turn."),
            .optional("warnings", .list(.members(Self.mistake)), "What the event's client probably did not mean."),
            .optional("before", .map(.any), "The state entries that the turn read, with their values; null if absent."),
            .optional("reads", .list(.shared("JournalRead", Self.read)), "The results of reads and effects, in order."),
            .optional(
                "outputs",
                .list(.list(.text(.any))),
                "The turn's outputs, in order: pairs of a topic (for state, `state:` and the entry's name) and "
                    + "the output's SHA-256, which is empty for a removal."
            ),
            .required(
                "previous",
                .text(.digestOrNothing),
                "The digest of the stage's previous turn in this partition: of its record's key, value and headers."
            ),
        ]
    )

    /// A pause, in the journal and in an interaction that waits for its end.
    static let pause = ValueRule.shared(
        "Pause",
        .members([
            .required("target", .text(.nonEmpty), "What is paused: intent:NAME or app:NAME."),
            .required("id", .text(.nonEmpty), "The id of the act."),
            .required("since", .integer(), "Since when, in milliseconds since 1970."),
            .required("by", .text(.any), "The operator's name."),
            .optional("reason", .text(.any), "Why."),
        ])
    )

    private static let note = ValueRule.either([
        .members([
            .required("kind", .choice(["report"]), "The user was sent the progress of the task."),
            .optional("fraction", .number, "How much of the task is done, from 0 to 1."),
            .optional("steps", .list(.text(.any)), "The names of the steps that were committed."),
            .optional("text", .text(.any), "What is being done."),
        ]),
        .members([
            .required("kind", .choice(["step"]), "A step was committed."),
            .required("name", .text(.any), "The name that the handler gave it."),
            .optional("ordinal", .integer(minimum: 1), "Its number among the steps of that name; 0 without it."),
            .required("value", .any, "The result."),
        ]),
    ])

    private static let read = ValueRule.either([
        .members(Self.access + [.required("value", .any, "The result.")]),
        .members(
            Self.access + [
                .required(
                    "error",
                    .members([
                        .required("message", .text(.any), "What went wrong."),
                        .required("transient", .boolean, "Whether the error is transient."),
                        .optional("client", .text(.any), "The error text for clients."),
                        .optional("retryAfter", .integer(), "How long the next try waits at least, in milliseconds."),
                    ]),
                    "The error."
                )
            ]
        ),
    ])

    private static let access: [MemberRule] = [
        .required("kind", .oneOf(JournalRead.Kind.self), "The kind of access."),
        .required("name", .text(.any), "The name that the handler gave it."),
    ]
}
