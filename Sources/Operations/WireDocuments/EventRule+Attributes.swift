internal import IntentEvents
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
            .optional("specversion", .choice(["1.0"]), "The CloudEvents version."),
            .optional("id", .text(.any), "The event's id. The default is its position in the topic."),
            .optional("source", .text(.any), "The sender."),
            .required("type", .choice([type.rawValue]), "The event's type."),
            .optional(
                "time",
                .text(.time),
                "When the event occurred. The default is the time at which it was written to the topic."
            ),
            .optional("userid", .text(.any), "The user's id, the same as `data.user.id`. One of the two is required."),
            subject.member("subject", .text(.any), "The interaction's id."),
            .optional("datacontenttype", .text(.any), "The content type: JSON."),
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
        passesThrough: Bool = true,
        sources: [String] = Stage.allCases.map { "/intentd/\($0.rawValue)" }
    ) -> [MemberRule] {
        [
            .required("specversion", .choice(["1.0"]), "The CloudEvents version."),
            .required("id", .text(.ownID), "The event's id. A turn that runs again gives the same ids."),
            .required("source", .choice(sources), "Who wrote it."),
            .required("type", .choice([type.rawValue]), "The event's type."),
            .required("time", .text(.ownTime), "When the event occurred."),
            .required("userid", .text(hasUser ? .nonEmpty : .any), "The user's id, the same as the record's key."),
            subject.member("subject", .text(.nonEmpty), "The interaction's id."),
            cause.member("causationid", .text(.any), "The id of the event that caused this one."),
            stage.member(
                "stage",
                .oneOf(Stage.self),
                "The stage that the event is addressed to, or that ran the turn."
            ),
            request.member("request", .text(.request), "The position of the interaction's request."),
            .required("datacontenttype", .choice(["application/json"]), "The content type."),
        ]
        .compactMap { $0 } + (passesThrough ? Self.passedThrough : [])
    }

    /// The attributes that are copied from a request to all events that follow from it.
    private static let passedThrough: [MemberRule] = [
        .optional("clientid", .text(.any), "An identifier of the client, copied to all events that follow."),
        .optional("traceparent", .text(.any), "W3C trace context, copied to all events that follow."),
        .optional("tracestate", .text(.any), "W3C trace context, copied to all events that follow."),
        .optional(
            "intentdscript",
            .text(.any),
            "The service's behaviour in a scenario. Only workers with --scripted use it."
        ),
        .optional(
            "redriveof",
            .text(.request),
            "In the events of a redriven request: the position of the first request. Only `intentd dead-letters redrive` can set it."
        ),
        .optional(
            "followsfrom",
            .text(.any),
            "In the events of a request that a handler has started: the request that it follows from, how many such requests there are, and a name. Only intentd can set it."
        ),
    ]
}
