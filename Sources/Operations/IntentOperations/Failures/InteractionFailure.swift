package import IntentAudit
package import IntentEvents
package import IntentKit
package import IntentRecords
internal import IntentRuntime

/// Why an interaction failed: what happened, the call that failed, and what to do (R84).
///
/// A function of its records, for terminal and console alike; sensitive values are masked.
package struct InteractionFailure: Hashable, Sendable {
    /// The call that failed.
    package struct Call: Hashable, Sendable {
        /// `service`, `handler`, or the kind of the handler's access, such as `effect`.
        package var kind: String
        package var name: String
        package var stage: Stage

        package var text: String { "\(self.kind) \(self.name) in \(self.stage.rawValue)" }
    }

    /// What happened, in words.
    package let reason: String
    /// The error's text; nil when there is none.
    package let error: String?
    /// Nil where no call failed.
    package let call: Call?
    /// How often the turn was tried.
    package let attempts: Int
    /// The dead letter of the turn's event, if there is one.
    package let letter: DeadLetterName?
    /// The last interaction as which that was sent again.
    package let redrivenAs: InteractionID?
    /// What an operator can do.
    package let advice: String

    /// Describes the failure of an interaction; nil for one that is open or did not fail.
    package init?(_ story: InteractionStory, _ turns: [TurnAccount], prefix: String, _ masking: Masking) {
        let interaction = story.interaction
        guard interaction.endedAt != nil, interaction.status == INIntentHandlingStatus.failure.rawValue else {
            return nil
        }
        let letter = story.letters.last
        let masked = letter.map { MaskedLetter($0, prefix: prefix, masking) }
        let record =
            (turns.last { $0.outputs.contains { $0.journaled.target == Topic.deadLetters.rawValue } }
            ?? turns.last { $0.record.outcome == .ended })?
            .record
        let response = story.events
            .last { $0.type == EventType.intentResponded.rawValue && $0.json?["terminal"] == true }?
            .json.map(masking.masked)
        self.letter = letter.map { DeadLetterName($0.record.position) }
        self.redrivenAs = letter?.redrivenAs
        self.attempts = record?.crash?.deaths ?? record?.attempt ?? 1
        self.call = record.flatMap { Self.call(in: $0, interaction.endReason, masked?.letter.headers.detail) }
        self.error =
            masked?.detail ?? response?["response"]?["error"]?.string
            ?? (interaction.endReason == EndReason.failed.rawValue ? response?["dialog"]?.string : nil)
        self.reason = Self.reason(interaction, attempts: self.attempts, isCrash: record?.crash != nil, story.events)
        self.advice = Self.advice(
            interaction,
            call: self.call,
            letter: self.letter,
            redrivenAs: self.redrivenAs,
            isCrash: record?.crash != nil
        )
    }

    /// The reason and the dead letter, on one line.
    package var summary: String { self.reason + (self.letter.map { "; dead letter \($0.text)" } ?? "") }

    /// The form for programs.
    package var json: JSONValue {
        .members([
            "reason": .string(self.reason),
            "error": self.error.map(JSONValue.string),
            "call": self.call.map {
                ["kind": .string($0.kind), "name": .string($0.name), "stage": .string($0.stage.rawValue)]
            },
            "attempts": .integer(Int64(self.attempts)),
            "deadLetter": self.letter.map { .string($0.text) },
            "redrivenAs": self.redrivenAs?.json,
            "advice": .string(self.advice),
        ])
    }

    /// The call that failed in a turn; nil where the turn ended for another reason.
    private static func call(in record: TurnRecord, _ endReason: String?, _ detail: String?) -> Call? {
        switch endReason.flatMap(EndReason.init(rawValue:)) {
        case .error:
            // A handler may have caught an earlier failure: what was thrown in the end contains its own text.
            let failed = record.reads.last { read in
                guard case .failure(let error) = read.result else { return false }
                return detail?.contains(error.message) ?? true
            }
            if let failed { return Call(of: failed, record.stage) }
        case .failed:
            let answered = record.reads.last { $0.serviceCall != nil }
            if let answered { return Call(of: answered, record.stage) }
        default: return nil
        }
        return record.handlerName.map { Call(kind: "handler", name: $0, stage: record.stage) }
    }

    private static func reason(
        _ interaction: RecordedInteraction,
        attempts: Int,
        isCrash: Bool,
        _ events: [RecordedEvent]
    ) -> String {
        let times = attempts == 1 ? "1 attempt" : "\(attempts) attempts"
        switch interaction.endReason.flatMap(EndReason.init(rawValue:)) {
        case .error where isCrash: return "Turn ended its process \(attempts == 1 ? "once" : "\(attempts) times")"
        case .error: return "Turn failed after \(times)"
        case .failed: return "The handler responded with \(interaction.code ?? "a failure")"
        case .timeout where Self.isAsked(events): return "The last prompt was not answered in time"
        case .timeout: return "The interaction exceeded its time limit"
        case .tooManyAttempts: return "Too many answers did not resolve the same parameter"
        case .unsupportedIntent: return "Unknown intent: \(interaction.intent ?? "?")"
        case .notAuthorized: return "The user has not authorized the app"
        case .invalidRequest: return "The request was invalid"
        case .declined: return "Declined by the user"
        case .abortedByUser: return "Cancelled by the user"
        case .abortedByOperator: return "Cancelled by an operator"
        case .nominal, nil: return "Ended with \(interaction.code ?? interaction.endReason ?? "a failure")"
        }
    }

    /// Whether the user was asked last, before the end.
    private static func isAsked(_ events: [RecordedEvent]) -> Bool {
        let responses = events.filter { $0.position.topic == .responses && $0.json?["terminal"] != true }
        return responses.last?.type == EventType.promptIssued.rawValue
    }

    private static func advice(
        _ interaction: RecordedInteraction,
        call: Call?,
        letter: DeadLetterName?,
        redrivenAs: InteractionID?,
        isCrash: Bool
    ) -> String {
        if let redrivenAs { return "It was redriven as \(redrivenAs): see that interaction." }
        switch interaction.endReason.flatMap(EndReason.init(rawValue:)) {
        case .error:
            let cause =
                isCrash
                ? "Read the last log lines of the worker, and fix what ended its process"
                : call.map { "Fix the cause in the \($0.kind) \($0.name)" }
                    ?? "Read the worker's log, and fix the cause"
            return letter.map { "\(cause); then redrive it: `intentd dead-letters redrive \($0.text)`." }
                ?? "\(cause); the user has to request it again."
        case .failed:
            return "This is the app's own answer, not a fault of intentd: its details and its service's log say why."
        case .unsupportedIntent:
            return "Serve the intent, or correct the client; `intentd intents` lists the intents that are served."
        case .invalidRequest:
            return "Correct the client; the response's details say what is wrong."
        case .notAuthorized: return "The user authorizes the app, and requests it again."
        case .abortedByOperator: return "`intentd operators log` says who cancelled it, and why."
        case .timeout, .tooManyAttempts, .declined, .abortedByUser, .nominal, nil:
            return "Nothing has to be done: the user can request it again."
        }
    }
}

extension InteractionFailure.Call {
    fileprivate init(of read: JournalRead, _ stage: Stage) {
        if let call = read.serviceCall {
            self.init(kind: "service", name: call, stage: stage)
        } else {
            self.init(kind: read.kind.rawValue, name: read.name, stage: stage)
        }
    }
}

extension JournalRead {
    /// The name of the call if it is one of a declared intent's service (R61).
    fileprivate var serviceCall: String? {
        let prefix = "service."
        guard self.kind == .run, self.name.hasPrefix(prefix) else { return nil }
        return String(self.name.dropFirst(prefix.count))
    }
}
