internal import IntentEvents
internal import IntentKit

/// What a turn depended on and did, on `journal`.
extension EventRule {
    static let turnJournaled = EventRule(
        .turnJournaled,
        "What a turn depended on and what it did: enough to run it again (SPEC R42).",
        on: [.journal],
        attributes: Self.written(
            .turnJournaled,
            subject: .sometimes,
            stage: .always,
            request: .sometimes,
            // What cannot be decoded may be nobody's.
            hasUser: false,
            passesThrough: false
        ),
        data: [
            .required("stage", .oneOf(Stage.self), "Whose turn it was."),
            .required("position", .text(.position), "The event that was processed."),
            .required("generation", .integer(minimum: 0), "0, or which continuation of that event it is."),
            .required(
                "event",
                .members([
                    .required("id", .text(.any), "The event's id."),
                    .required("type", .text(.any), "The event's type."),
                ]),
                "The event."
            ),
            .required("user", .members([.required("id", .text(.any), "The user's id.")]), "The user."),
            .optional("interaction", .text(.any), "The interaction that the turn acted on."),
            .optional("request", .text(.request), "The place of its request."),
            .optional("intent", .text(.any), "The intent's name."),
            .optional("opened", .boolean, "Whether this turn began the interaction."),
            .required("at", .text(.ownTime), "The turn's clock."),
            .optional("firstTriedAt", .text(.ownTime), "When the first try began, if this is a later one."),
            .optional("until", .text(.ownTime), "When the last handler answered, if that took long."),
            .required("attempt", .integer(minimum: 1), "Which try it was."),
            .required("worker", .text(.any), "Who ran it."),
            .optional(
                "handler",
                .members([
                    .required("name", .text(.nonEmpty), "The handler's name."),
                    .required("version", .text(.any), "The handler's version."),
                ]),
                "The handler, if one ran."
            ),
            .required("outcome", .oneOf(TurnOutcome.self), "What became of it."),
            .required("before", .map(.any), "The state entries that it read, as they were; null for none."),
            .optional("reads", .list(.shared("JournalRead", Self.read)), "Answers from outside, in order."),
            .required("outputs", .list(.shared("JournalOutput", Self.output)), "What it wrote, in order."),
            .required("previous", .text(.digestOrNothing), "The digest of the turn before it in this partition."),
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

    private static let output = ValueRule.members([
        .required("target", .text(.nonEmpty), "The topic; for `state` the entry's name follows after a colon."),
        .optional("id", .text(.any), "The event's id."),
        .optional("type", .text(.any), "The event's type."),
        .required("digest", .text(.digestOrNothing), "SHA-256 of what was written; empty for what was removed."),
    ])
}
