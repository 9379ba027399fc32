internal import IntentEvents
internal import IntentKit
internal import WireRules

extension EventRule {
    /// Whether events of a type have an attribute.
    enum Presence {
        case always
        /// Only where there is a value.
        case sometimes
        case never

        func member(_ name: String, _ value: ValueRule, _ summary: String) -> MemberRule? {
            switch self {
            case .always: .required(name, value, summary)
            case .sometimes: .optional(name, value, summary)
            case .never: nil
            }
        }
    }

    /// The attributes of events that clients send; missing ones are filled in.
    static func received(_ type: EventType, subject: Presence = .sometimes) -> [MemberRule] {
        [
            .optional("specversion", .choice(["1.0"]), "CloudEvents' version."),
            .optional("id", .text(.any), "The event's id; its place in the topic if it has none."),
            .optional("source", .text(.any), "Who sends it."),
            .required("type", .choice([type.rawValue]), "The event's type."),
            .optional("time", .text(.time), "When it happened; when it was written to the topic if it does not say."),
            .optional("userid", .text(.any), "The user; `data.user.id` says the same. One of the two must be there."),
            subject.member("subject", .text(.any), "The interaction's id."),
            .optional("datacontenttype", .text(.any), "What the bytes are: JSON."),
        ]
        .compactMap { $0 } + Self.passedThrough
    }

    /// The attributes of events that intentd writes.
    static func written(
        _ type: EventType,
        subject: Presence = .always,
        cause: Presence = .always,
        stage: Presence = .never,
        request: Presence = .always,
        hasUser: Bool = true,
        passesThrough: Bool = true
    ) -> [MemberRule] {
        [
            .required("specversion", .choice(["1.0"]), "CloudEvents' version."),
            .required("id", .text(.ownID), "The event's id: the same turn makes the same ids, always."),
            .required("source", .choice(Stage.allCases.map { "/intentd/\($0.rawValue)" }), "The stage that wrote it."),
            .required("type", .choice([type.rawValue]), "The event's type."),
            .required("time", .text(.ownTime), "When it happened."),
            .required("userid", .text(hasUser ? .nonEmpty : .any), "The user; the record's key says the same."),
            subject.member("subject", .text(.nonEmpty), "The interaction's id."),
            cause.member("causationid", .text(.any), "The id of the event that it answers."),
            stage.member("stage", .oneOf(Stage.self), "The stage that it is addressed to, or whose turn it was."),
            request.member("request", .text(.request), "The place of the interaction's request."),
            .required("datacontenttype", .choice(["application/json"]), "What the bytes are."),
        ]
        .compactMap { $0 } + (passesThrough ? Self.passedThrough : [])
    }

    /// The attributes that are copied from a request to all events that follow from it.
    private static let passedThrough: [MemberRule] = [
        .optional("clientid", .text(.any), "The client's own mark, carried to everything that follows."),
        .optional("traceparent", .text(.any), "W3C trace context, carried to everything that follows."),
        .optional("tracestate", .text(.any), "W3C trace context, carried to everything that follows."),
        .optional(
            "intentdscript",
            .text(.any),
            "What a scenario has the service do; only workers with --scripted look."
        ),
        .optional(
            "redriveof",
            .text(.request),
            "In what follows from a request that died and was sent again by `intentd dead-letters redrive`: the place of "
                + "the first such request. Nobody else can set it."
        ),
    ]
}
