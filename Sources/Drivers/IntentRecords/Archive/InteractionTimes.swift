package import IntentEvents
package import IntentKit
internal import IntentRuntime

/// Where the time of an interaction went (R80): spans from its request to its end, or until now, without gaps.
///
/// This is the only place that computes it.
package struct InteractionTimes: Hashable, Sendable {
    /// A time in which the interaction was in one state.
    package struct Span: Hashable, Sendable {
        package var state: InteractionState
        /// The stage that has it.
        package var stage: Stage
        /// The number of the attempt, from 1, while one runs.
        package var attempt: Int?
        /// When it began: when a record was written, or by the clock of a turn, as the state says.
        package var start: Timestamp
        /// The start of the next span, or the time up to which they are computed.
        package var end: Timestamp

        package var milliseconds: Int64 { self.end - self.start }
    }

    /// When its request was written, bounded by its first turn: the client's clock may be wrong.
    package let requestedAt: Timestamp
    /// The spans that are longer than nothing, in order.
    package private(set) var spans: [Span] = []
    /// The state at the end of the last span.
    package private(set) var state = InteractionState.queued
    /// The stage that has it, or had it last.
    package private(set) var stage = Stage.resolve
    /// When that state began.
    package private(set) var since: Timestamp
    /// While an attempt runs, its number; while the next one is waited for, the number of that one.
    package private(set) var attempt: Int?
    /// How many attempts there are at most, once one has failed.
    package private(set) var attempts: Int?
    /// When the next attempt begins.
    package private(set) var nextAt: Timestamp?
    /// The time that spans do not exceed.
    private let limit: Timestamp

    /// Computes the times from what is recorded of an interaction.
    ///
    /// - Parameters:
    ///   - story: The interaction with its events and turns.
    ///   - now: The time up to which an open one is looked at.
    package init?(_ story: InteractionStory, now: Timestamp) {
        let interaction = story.interaction
        let request = story.events.first { $0.position == interaction.position }
        let firstTurn = story.turns.map(\.record.at).min()
        guard let written = request?.timestamp ?? interaction.requestedAt ?? firstTurn else { return nil }
        let begin = firstTurn.map { ClientClock.bounded(written, by: $0) } ?? written
        self.requestedAt = begin
        self.since = begin
        self.limit = max(begin, interaction.endedAt ?? now)
        let events = Dictionary(story.events.map { ($0.position, $0) }) { first, _ in first }
        let said = Dictionary(
            story.events.filter { $0.position.topic == .responses }
                .compactMap { event in
                    event.causationID.map { ($0, event) }
                }
        ) { $1 }
        for turn in story.turns.asJournaled {
            let position = turn.record.position
            self.add(
                turn,
                eventAt: story.writtenAt[position] ?? events[position]?.timestamp,
                said: said[turn.record.eventID]
            )
            if turn.record.outcome == .ended { break }
        }
        if interaction.endedAt != nil {
            self.pass(to: self.limit)
            self.enter(.ended, self.stage)
        } else {
            if self.state.isAwaiting, let answeredAt = story.answeredAt {
                self.pass(to: answeredAt)
                self.enter(.queued, self.stage)
            }
            self.pass(to: self.limit)
        }
    }

    /// Milliseconds in a state.
    package func milliseconds(_ state: InteractionState) -> Int64 {
        self.spans.reduce(0) { $0 + ($1.state == state ? $1.milliseconds : 0) }
    }

    /// Milliseconds from the request to the end, or until now: the sum of all parts.
    package var total: Int64 { self.limit - self.requestedAt }

    // MARK: Reading turns

    private mutating func add(_ turn: RecordedTurn, eventAt: Timestamp?, said: RecordedEvent?) {
        let record = turn.record
        // A step or a report: the turn is still running.
        guard record.note == nil else { return }
        let isWithoutEffect = [.rejected, .ignored, .refused].contains(record.outcome)
        // A retry's timer has run, or an operator has asked for it, and the parked turn is tried again.
        let begins = [EventType.timerFired, .operatorActed].map(\.rawValue)
        let triesAgain =
            record.outcome == .parked && begins.contains(record.eventType) && record.handlerName == nil
            && !record.isParkingNote
        if record.isParkingNote || triesAgain {
            self.endWait(at: eventAt, record)
            self.pass(to: record.at)
            self.enter(.running, record.stage, attempt: triesAgain ? self.attempt : self.number(record))
            return
        }
        // What has no effect is about somebody else's turn.
        guard !isWithoutEffect else { return }
        // While a turn runs, others only tell the user that it takes longer.
        let isNews =
            record.outcome == .reported && record.eventType == EventType.timerFired.rawValue
            && record.handlerName == nil && record.wait == nil && record.held == nil
        guard !(self.state == .running && isNews) else { return }
        let before = self.state
        self.endWait(at: eventAt, record)
        self.pass(to: record.at)
        self.enter(.running, record.stage, attempt: self.number(record))
        self.pass(to: record.until ?? record.at)
        self.enter(.committing, record.stage)
        self.pass(to: turn.timestamp)
        self.enter(after: record, said: said?.json, before: before)
    }

    /// The number of a turn's attempt, with those before a long wait (R76).
    private func number(_ record: TurnRecord) -> Int {
        let isAgain = [.retrying, .paused, .running].contains(self.state)
        return isAgain ? max(record.attempt, self.attempt ?? 1) : record.attempt
    }

    /// Somebody was waited for until the event was written; since then it is queued.
    private mutating func endWait(at time: Timestamp?, _ record: TurnRecord) {
        guard self.state.isAwaiting, let time else { return }
        self.pass(to: time)
        self.enter(.queued, record.stage)
    }

    /// What the interaction waits for after a turn.
    private mutating func enter(after record: TurnRecord, said: JSONValue?, before: InteractionState) {
        let stage = record.stage
        if let wait = record.wait, record.outcome != .ended {
            self.enter(wait.nextAt == nil ? .awaitingOperator : .retrying, stage, attempt: wait.attempt)
            self.attempts = wait.attempts
            self.nextAt = wait.nextAt
            return
        }
        if record.held != nil, record.outcome != .ended {
            self.enter(.paused, stage, attempt: record.attempt)
            return
        }
        switch record.outcome {
        case .prompted: self.enter(Self.state(ofPrompt: said?["kind"]?.string), stage)
        case .passed: self.enter(.queued, Self.next(stage))
        case .returned: self.enter(.queued, .resolve)
        case .forwarded: self.enter(.queued, Self.next(stage))
        case .parked: self.enter(.retrying, stage, attempt: record.attempt + 1)
        case .reported:
            // An effect after the other is undone without anybody's doing.
            let isUndone = !(said?["undoing"]?.array ?? []).isEmpty
            self.enter(isUndone ? .running : .awaitingApp, stage)
        case .noted:
            // Both continue in a turn of their own, after the answer is passed on.
            let isPassedOn = [EventType.deviceUnlocked.rawValue, EventType.userAuthenticated.rawValue]
                .contains(record.eventType)
            self.enter(isPassedOn ? .queued : before == .committing ? .running : before, stage)
        case .ended, .deadLettered, .rejected, .ignored, .refused: break
        }
    }

    private static func next(_ stage: Stage) -> Stage { stage == .resolve ? .confirm : .handle }

    /// Who is waited for with a prompt.
    private static func state(ofPrompt kind: String?) -> InteractionState {
        switch kind {
        case "unlockRequired": .awaitingUnlock
        case "authenticationRequired": .awaitingSignIn
        default: .awaitingUser
        }
    }

    // MARK: Spans

    /// The state of the interaction until then.
    private mutating func pass(to time: Timestamp) {
        let start = self.spans.last?.end ?? self.requestedAt
        let end = min(time, self.limit)
        guard end > start else { return }
        let attempt = self.state == .running ? self.attempt : nil
        if let last = self.spans.last, last.state == self.state, last.stage == self.stage, last.attempt == attempt {
            self.spans[self.spans.count - 1].end = end
        } else {
            self.spans.append(Span(state: self.state, stage: self.stage, attempt: attempt, start: start, end: end))
        }
    }

    private mutating func enter(_ state: InteractionState, _ stage: Stage, attempt: Int? = nil) {
        if state != self.state || attempt != self.attempt { self.since = self.spans.last?.end ?? self.requestedAt }
        let isSameTurn = stage == self.stage && !state.isAwaiting && state != .queued && state != .ended
        self.state = state
        self.stage = stage
        self.attempt = attempt
        self.nextAt = nil
        if !isSameTurn { self.attempts = nil }
    }
}

extension InteractionTimes {
    /// The form for programs, in `list` and `show`.
    package var json: JSONObject {
        var members: JSONObject = ["state": .string(self.state.rawValue)]
        members["stage"] = .string(self.stage.rawValue)
        if self.state != .ended {
            members["since"] = .string(self.since.description)
            members["attempt"] = self.attempt.map { .integer(Int64($0)) }
            members["attempts"] = self.attempts.map { .integer(Int64($0)) }
            members["nextAttemptAt"] = self.nextAt.map { .string($0.description) }
        }
        members["milliseconds"] = .integer(self.total)
        members["time"] = .object(
            Dictionary(
                uniqueKeysWithValues: InteractionState.allCases.compactMap { state in
                    let time = self.milliseconds(state)
                    return time > 0 ? (state.rawValue, JSONValue.integer(time)) : nil
                }
            )
        )
        return members
    }

    /// The spans, in order, for programs.
    package var parts: JSONValue {
        .array(
            self.spans.map { span in
                .members([
                    "attempt": span.attempt.map { .integer(Int64($0)) },
                    "from": .string(span.start.description),
                    "milliseconds": .integer(span.milliseconds),
                    "stage": .string(span.stage.rawValue),
                    "state": .string(span.state.rawValue),
                ])
            }
        )
    }

    /// The state in a few words: `retrying 2/8 at 10:24:55`.
    package var text: String {
        var text = self.state.rawValue
        if let attempt = self.attempt, attempt > 1 || self.attempts != nil {
            text += " \(attempt)" + (self.attempts.map { "/\($0)" } ?? "")
        }
        if let nextAt = self.nextAt { text += " at \(nextAt.description.dropFirst(11).prefix(8))" }
        return text
    }
}
