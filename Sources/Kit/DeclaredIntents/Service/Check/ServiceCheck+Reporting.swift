import IntentKit

extension ServiceCheck {
    /// Tries `confirm`, `handle` and `status`.
    mutating func tryReporting(_ intent: IntentSnapshot) async {
        if self.caller.service.confirms { await self.tryConfirming(intent) }
        if self.handles, self.caller.service.looksUp {
            await self.tryLookingUp(intent)
        } else if self.handles {
            await self.tryHandling(intent)
            await self.tryHandlingAtOnce(intent)
        } else {
            self.record(.note, "handle", "not called: --no-handle")
        }
        if self.caller.service.statusUpdates != nil { await self.tryStatus(intent) }
        if self.caller.service.undo != nil, self.handles { await self.tryUndoing(intent) }
    }

    /// Tries `undo` of what another `handle` has done, twice under one key.
    private mutating func tryUndoing(_ intent: IntentSnapshot) async {
        do {
            let context = self.context("undo")
            let response = try await self.caller.post(intent, context)
            guard let result = ServiceCaller.result(of: response) else {
                self.record(.note, "undo", "not tried, since handle did nothing: it answers \(response.code ?? "")")
                return
            }
            let first = try await self.caller.undo(intent, result, context)
            let second = try await self.caller.undo(intent, result, context)
            switch first {
            case .called: self.record(.right, "undo", "it is undone")
            case .refused(let reason): self.record(.note, "undo", "it is refused: \(reason)")
            }
            guard first == second else {
                let text = "the second answer differs from the first: a repeated key must return the same answer"
                self.record(.wrong, "undo: a repeated Idempotency-Key", text)
                return
            }
            self.record(.right, "undo: a repeated Idempotency-Key", "the same answer")
        } catch {
            self.record(.wrong, "undo", "\(error)")
        }
    }

    private mutating func tryConfirming(_ intent: IntentSnapshot) async {
        do {
            let first = try await self.caller.confirm(intent, self.context("confirm"))
            let second = try await self.caller.confirm(intent, self.context("confirm"))
            self.record(.right, "confirm", Self.answer(first))
            guard first.details == second.details else {
                let text =
                    "the same request returns other details the second time, so the user would be asked again after every "
                    + "yes. Leave out details that change by themselves, such as the time"
                self.record(.wrong, "confirm: asked again after the yes", text)
                return
            }
            self.record(.right, "confirm: asked again after the yes", "the same details")
        } catch {
            self.record(.wrong, "confirm", "\(error)")
        }
    }

    /// What an answer leads to.
    private static func answer(_ response: HandlerResponse) -> String {
        response.question.map { "it asks back about \($0.parameter)" } ?? "it answers \(response.code ?? "")"
    }

    private mutating func tryHandling(_ intent: IntentSnapshot) async {
        do {
            let first = try await self.caller.handle(intent, self.context("handle"))
            self.record(.right, "handle", Self.answer(first))
            let second = try await self.caller.handle(intent, self.context("handle"))
            self.recordRepeated("handle: a repeated Idempotency-Key", first, second)
        } catch {
            self.record(.wrong, "handle", "\(error)")
        }
    }

    /// Tries `lookup` before and after `handle`: such a service need not recognise a repeated key.
    private mutating func tryLookingUp(_ intent: IntentSnapshot) async {
        let (before, after) = ("lookup: nothing was posted", "lookup: what handle has done")
        do {
            let context = self.context("handle")
            switch try await self.caller.outcome(of: intent, context).outcome {
            case .notDone: self.record(.right, before, "it answers notDone")
            case .unknown: self.record(.note, before, "it answers unknown: an operator has to decide")
            case .done:
                let text = "it answers done for an Idempotency-Key that it has never seen; notDone is expected"
                self.record(.wrong, before, text)
            }
            let first = try await self.caller.post(intent, context)
            self.record(.right, "handle", Self.answer(first))
            switch try await self.caller.outcome(of: intent, context) {
            case (.unknown, _): self.record(.note, after, "it answers unknown: an operator has to decide")
            case (.notDone, _):
                self.record(.wrong, after, "it answers notDone, so that it would be done twice; done is expected")
            case (.done, let second):
                guard let second, second != first else {
                    self.record(.right, after, "the same answer")
                    return
                }
                let text =
                    "it answers \(Self.description(second)), but handle answered \(Self.description(first)): the user "
                    + "would get another result. The same code and details are expected"
                self.record(.wrong, after, text)
            }
        } catch {
            self.record(.wrong, "handle and lookup", "\(error)")
        }
    }

    /// Tries a second `handle` that comes while the service still works on a first one that was given up.
    private mutating func tryHandlingAtOnce(_ intent: IntentSnapshot) async {
        let subject = "handle: one Idempotency-Key twice at once"
        let (caller, context) = (self.caller, self.context("handle-at-once"))
        async let one = Result { try await caller.handle(intent, context) }
        async let two = Result { try await caller.handle(intent, context) }
        switch await (one, two) {
        case (.success(let first), .success(let second)): self.recordRepeated(subject, first, second)
        case (.failure(let error), .success), (.success, .failure(let error)):
            if error is any TransientError {
                self.record(.right, subject, "one is deferred: \(error)")
            } else {
                self.record(.wrong, subject, "\(error); the same answer is expected, or 425 or 503 until there is one")
            }
        case (.failure(let error), .failure): self.record(.wrong, subject, "\(error)")
        }
    }

    private mutating func recordRepeated(_ subject: String, _ first: HandlerResponse, _ second: HandlerResponse) {
        guard first == second else {
            let text =
                "the second answer is \(Self.description(second)), the first was \(Self.description(first)): a repeated "
                + "key must return the same answer and not repeat the effect"
            self.record(.wrong, subject, text)
            return
        }
        self.record(.right, subject, "the same answer")
    }

    private static func description(_ response: HandlerResponse) -> String {
        let details = JSONValue.object(response.details).description
        return "\(response.code ?? "") \(details.count > 200 ? details.prefix(200) + "…" : details)"
    }

    private mutating func tryStatus(_ intent: IntentSnapshot) async {
        do {
            let update = try await self.caller.status(intent, self.context("handle"))
            self.record(.right, "status", update.isLast ? "the last one" : "more will come")
        } catch {
            self.record(.wrong, "status", "\(error)")
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
