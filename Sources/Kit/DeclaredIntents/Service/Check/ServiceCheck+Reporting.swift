import IntentKit

extension ServiceCheck {
    /// Tries `confirm`, `handle` and `status`.
    mutating func tryReporting(_ intent: IntentSnapshot) async {
        if self.caller.service.confirms { await self.tryConfirming(intent) }
        if self.handles {
            await self.tryHandling(intent)
            await self.tryHandlingAtOnce(intent)
        } else {
            self.record(.note, "handle", "not called: --no-handle")
        }
        if self.caller.service.statusUpdates != nil { await self.tryStatus(intent) }
    }

    private mutating func tryConfirming(_ intent: IntentSnapshot) async {
        do {
            let first = try await self.caller.confirm(intent, self.context("confirm"))
            let second = try await self.caller.confirm(intent, self.context("confirm"))
            self.record(.right, "confirm", "it answers \(first.code ?? "")")
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

    private mutating func tryHandling(_ intent: IntentSnapshot) async {
        do {
            let first = try await self.caller.handle(intent, self.context("handle"))
            self.record(.right, "handle", "it answers \(first.code ?? "")")
            let second = try await self.caller.handle(intent, self.context("handle"))
            self.recordRepeated("handle: a repeated Idempotency-Key", first, second)
        } catch {
            self.record(.wrong, "handle", "\(error)")
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
