package import IntentEvents
package import IntentKit

/// What is left to undo of an interaction in `handle`, before it ends or goes back to the user (R75).
package struct Undoing: Hashable, Sendable {
    /// An effect that was not undone.
    package struct Failure: Hashable, Sendable {
        /// The effect's name.
        package var effect: String
        /// The handler's words in the user's language, or a ``Cause``.
        package var reason: String
    }

    /// Why an effect was not undone, where no handler says so.
    package enum Cause: String, Sendable, CaseIterable {
        /// The undo failed for good.
        case failed
        /// It was tried too often, or for too long.
        case gaveUp
        /// It has ended its process too often (R56).
        case crashed
        /// No handler undoes it any more.
        case noHandler
    }

    /// The question with which the interaction goes back to the user when everything is undone.
    package struct Question: Hashable, Sendable {
        package var parameter: String
        package var question: BackQuestion

        package init(parameter: String, question: BackQuestion) {
            self.parameter = parameter
            self.question = question
        }
    }

    /// Why the interaction ends; not used where it goes back.
    package var reason: EndReason
    package var question: Question?
    /// The response with which it ends.
    package var response: HandlerResponse
    /// The effects that are left, the next one first.
    package private(set) var left: [MadeEffect]
    /// The names of the undone effects, in that order.
    package private(set) var done: [String] = []
    package private(set) var failed: [Failure] = []
    /// When the next one is undone.
    package private(set) var dueAt: Timestamp
    /// The number of the next try to undo it.
    package private(set) var attempt = 1
    /// When undoing began.
    package let startedAt: Timestamp

    /// Begins to undo effects.
    package init(
        _ left: [MadeEffect],
        before reason: EndReason,
        response: HandlerResponse,
        question: Question? = nil,
        at now: Timestamp
    ) {
        self.left = left
        self.reason = reason
        self.response = response
        self.question = question
        self.dueAt = now
        self.startedAt = now
    }

    /// The next effect was undone.
    mutating func succeed(at now: Timestamp) {
        guard let effect = self.removeNext(at: now) else { return }
        self.done.append(effect.name)
    }

    /// The next effect stays, for a reason.
    mutating func fail(_ reason: String, at now: Timestamp) {
        guard let effect = self.removeNext(at: now) else { return }
        self.failed.append(Failure(effect: effect.name, reason: reason))
    }

    /// The next effect is not there any more.
    mutating func skip(at now: Timestamp) { _ = self.removeNext(at: now) }

    /// The one after it is due at once; a deadline is never the one before.
    private mutating func removeNext(at now: Timestamp) -> MadeEffect? {
        guard !self.left.isEmpty else { return nil }
        self.attempt = 1
        self.dueAt = max(now, self.dueAt + 1)
        return self.left.removeFirst()
    }

    /// The next effect is tried again later.
    mutating func retry(at time: Timestamp) {
        self.attempt += 1
        self.dueAt = max(time, self.dueAt + 1)
    }

    /// Those that were not undone, at the end: also those for which it did not come to that.
    var failures: [Failure] { self.failed + self.left.map { Failure(effect: $0.name, reason: Cause.failed.rawValue) } }

    /// The form in state.
    package var json: JSONValue {
        .members([
            "attempt": .integer(Int64(self.attempt)),
            "done": self.done.isEmpty ? nil : .array(self.done.map(JSONValue.string)),
            "dueAt": .integer(self.dueAt.milliseconds),
            "failed": self.failed.isEmpty ? nil : .array(self.failed.map(\.json)),
            "left": .array(self.left.map(\.json)),
            "parameter": self.question.map { .string($0.parameter) },
            "question": self.question?.question.json,
            "reason": .string(self.reason.rawValue),
            "response": self.response.stored,
            "startedAt": .integer(self.startedAt.milliseconds),
        ])
    }

    package init?(json: JSONValue) {
        guard let attempt = json["attempt"]?.count, let dueAt = json["dueAt"]?.integer,
            let left = json["left"]?.array, let reason = json["reason"]?.string.flatMap(EndReason.init(rawValue:)),
            let response = json["response"].flatMap(HandlerResponse.init(stored:)),
            let startedAt = json["startedAt"]?.integer
        else { return nil }
        self.init(
            left.compactMap(MadeEffect.init(json:)),
            before: reason,
            response: response,
            at: Timestamp(milliseconds: startedAt)
        )
        self.attempt = attempt
        self.dueAt = Timestamp(milliseconds: dueAt)
        self.done = (json["done"]?.array ?? []).compactMap(\.string)
        self.failed = (json["failed"]?.array ?? []).compactMap(Failure.init(json:))
        // What cannot be read would not be undone.
        guard self.left.count == left.count else { return nil }
        if let question = json["question"] {
            guard let asked = BackQuestion(json: question), let parameter = json["parameter"]?.string else {
                return nil
            }
            self.question = Question(parameter: parameter, question: asked)
        }
    }
}

extension Undoing.Failure {
    /// The form in state and in the response.
    var json: JSONValue { ["effect": .string(self.effect), "reason": .string(self.reason)] }

    init?(json: JSONValue) {
        guard let effect = json["effect"]?.string, let reason = json["reason"]?.string else { return nil }
        self.init(effect: effect, reason: reason)
    }
}

extension HandlerResponse {
    /// What a terminal response needs of it, in state.
    fileprivate var stored: JSONValue {
        .members([
            "code": self.code.map(JSONValue.string),
            "details": self.details.isEmpty ? nil : .object(self.details),
            "dialog": self.dialog?.json,
            "userActivity": self.userActivity.map { activity in
                .members([
                    "activityType": activity.activityType.map(JSONValue.string),
                    "title": activity.title.map(JSONValue.string),
                    "userInfo": .object(activity.userInfo),
                ])
            },
        ])
    }

    fileprivate init?(stored json: JSONValue) {
        guard json.object != nil else { return nil }
        self.init(
            code: json["code"]?.string,
            details: json["details"]?.object ?? [:],
            userActivity: json["userActivity"].flatMap(UserActivity.init(json:))
        )
        self.dialog = json["dialog"].flatMap(LocalizedText.init(json:))
    }
}
