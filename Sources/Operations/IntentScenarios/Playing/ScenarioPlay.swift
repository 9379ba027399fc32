internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// One scenario while it is played.
struct ScenarioPlay {
    /// The longest to wait for the end of a cancelled interaction.
    private static let cancellationTimeout = Duration.seconds(5)

    private let scenario: Scenario
    private let conversation: Conversation
    private let clock: any RuntimeClock
    private let deadline: Timestamp
    private let configuration: ScenarioPlayer.Configuration
    private(set) var transcript = ConversationTranscript()

    init(
        _ scenario: Scenario,
        in conversation: Conversation,
        _ configuration: ScenarioPlayer.Configuration,
        clock: any RuntimeClock
    ) {
        self.scenario = scenario
        self.conversation = conversation
        self.clock = clock
        self.configuration = configuration
        self.deadline = clock.now + configuration.timeout.milliseconds
    }

    /// Plays it to its end, and leaves no interaction open if it can.
    mutating func run() async -> ScenarioOutcome {
        do {
            try await self.conversation.send([self.request()])
            let differences =
                if let steps = self.scenario.steps {
                    try await self.play(steps)
                } else {
                    try await self.playAnswers()
                }
            if self.transcript.terminal == nil { await self.cancel() }
            return differences.isEmpty ? .matched : .mismatched(differences)
        } catch let error as LogError {
            return .executionError("\(error)")
        } catch {
            if self.transcript.terminal == nil { await self.cancel() }
            return .executionError(self.message(for: error))
        }
    }

    // MARK: Answers by name

    private mutating func playAnswers() async throws -> [String] {
        var answers = ScenarioAnswers(self.scenario)
        while self.transcript.terminal == nil {
            let event = try await self.next()
            switch event.knownType {
            case .promptIssued where event.userID == self.scenario.userID:
                guard var data = answers.answer(to: event.data) else {
                    return [self.message(forUnanswered: event.data)]
                }
                data["promptId"] = event.data["promptId"]
                try await self.conversation.send([self.event(EventType.promptAnswered.rawValue, data)])
            case .eventRejected:
                let reason = event.data["reason"]?.string ?? "?"
                return ["rejected (\(reason)): \(event.data["detail"]?.string ?? "")"]
            default: break
            }
        }
        return self.scenario.expect.differences(from: self.transcript)
    }

    // MARK: Steps

    private mutating func play(_ steps: [ScenarioStep]) async throws -> [String] {
        var rest = steps[...]
        let rejections = self.scenario.expect.rejections?.count ?? 0
        while true {
            try await self.sendReady(&rest)
            if self.transcript.terminal != nil {
                if let step = rest.first, step.requiredPrompts > self.transcript.prompts.count {
                    let number = steps.count - rest.count + 1
                    return self.scenario.expect.differences(from: self.transcript)
                        + ["step \(number) waits for prompt \(step.requiredPrompts), which was not issued"]
                }
                if rest.isEmpty, self.transcript.rejections.count >= rejections { break }
            }
            guard try await self.receive() else {
                // All events came except a rejection, or the event that a step waits for: that is a difference.
                let missing = rest.isEmpty ? [] : ["step \(steps.count - rest.count + 1) was never reached"]
                return self.scenario.expect.differences(from: self.transcript) + missing
            }
        }
        return self.scenario.expect.differences(from: self.transcript)
    }

    /// Sends the steps that have nothing left to wait for.
    private mutating func sendReady(_ rest: inout ArraySlice<ScenarioStep>) async throws {
        var events: [Event] = []
        while let step = rest.first, self.isReady(step) {
            rest.removeFirst()
            for _ in 0..<step.repetitions { events.append(self.event(of: step)) }
        }
        try await self.conversation.send(events)
    }

    private func isReady(_ step: ScenarioStep) -> Bool {
        step.requiredPrompts <= self.transcript.prompts.count
            && step.afterResponse ?? 0 <= self.transcript.responses.count
            && step.afterRejection ?? 0 <= self.transcript.rejections.count
    }

    private func event(of step: ScenarioStep) -> Event {
        if step.type == EventType.intentRequested.rawValue {
            var request = self.request()
            var data = request.data.object ?? [:]
            data.merge(step.data) { $1 }
            if let from = step.from {
                data["user"] = ["id": from.json]
                request.userID = from
            }
            request.data = .object(data)
            request.subject = step.subject ?? request.subject
            return request
        }
        var data = step.data
        if let number = step.answeredPrompt { data["promptId"] = self.transcript.prompts[number - 1]["promptId"] }
        return self.event(step.type, data, from: step.from, subject: step.subject)
    }

    // MARK: Events

    private func request() -> Event {
        var event = self.conversation.makeEvent(EventType.intentRequested.rawValue, data: self.scenario.requestData)
        event.passedThrough[EventHeaderName.script] = self.scenario.service
        return event
    }

    private func event(
        _ type: String,
        _ data: JSONObject,
        from: UserID? = nil,
        subject: InteractionID? = nil
    ) -> Event {
        var data = data
        if data["user"] == nil { data["user"] = ["id": (from ?? self.scenario.userID).json] }
        return self.conversation.makeEvent(type, data: .object(data), from: from, subject: subject)
    }

    /// Receives the next event.
    ///
    /// - Returns: Whether there was one; false only after the end.
    /// - Throws: ``Conversation/Failure``.
    private mutating func receive() async throws(Conversation.Failure) -> Bool {
        do throws(Conversation.Failure) {
            _ = try await self.next()
            return true
        } catch {
            if error == .timedOut || error == .silence, self.transcript.terminal != nil { return false }
            throw error
        }
    }

    private mutating func next() async throws(Conversation.Failure) -> Event {
        let rest = max(0, self.deadline - self.clock.now)
        let event = try await self.conversation.next(
            timeout: .milliseconds(rest),
            idleTimeout: self.configuration.idleTimeout
        )
        self.transcript.append(event, userID: self.scenario.userID)
        return event
    }

    /// Ends the interaction, so that nothing is left open.
    private mutating func cancel() async {
        let type = EventType.interactionCancelled.rawValue
        guard (try? await self.conversation.send([self.event(type, [:])])) != nil else { return }
        let end = self.clock.now + Self.cancellationTimeout.milliseconds
        while self.transcript.terminal == nil {
            let rest = max(0, end - self.clock.now)
            guard let event = try? await self.conversation.next(timeout: .milliseconds(rest)) else { return }
            self.transcript.append(event, userID: self.scenario.userID)
            if event.knownType == .eventRejected { return }
        }
    }

    // MARK: Words

    private func message(forUnanswered prompt: JSONValue) -> String {
        var text = "prompt \(self.transcript.prompts.count), \(ConversationTranscript.name(ofPrompt: prompt))"
        if let options = prompt["options"]?.array, !options.isEmpty { text += " among \(JSONValue.array(options))" }
        if let item = prompt["item"], !item.isNull { text += " of \(item)" }
        return text + ": the scenario has no answer to it"
    }

    private func message(for error: any Error) -> String {
        switch error as? Conversation.Failure {
        case .timedOut:
            return "no end within \(ScenarioReport.text(self.configuration.timeout)) s; \(self.promptsSoFar)"
        case .silence:
            let prompt = self.transcript.promptNames.last.map { "prompt \(self.transcript.prompts.count) (\($0))" }
            let last = prompt ?? "the request"
            let idleTimeout = ScenarioReport.text(self.configuration.idleTimeout ?? .zero)
            return "is stuck after \(last): no event for \(idleTimeout) s; \(self.promptsSoFar)"
        case .overflow: return "more events than a conversation can have"
        case .clientEnded(let reason): return reason
        case nil: return "\(error)"
        }
    }

    private var promptsSoFar: String {
        "prompts so far: [\(self.transcript.promptNames.joined(separator: ", "))]"
    }
}
