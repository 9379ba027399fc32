internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// Posts the events of dead letters to the webhook again (R88i), one after the other, those of a user in order.
///
/// It stops where further posts would take long, or would change the order: after a post without an answer nothing more
/// is posted, after a failed one nothing more of that user.
struct WebhookRedrive {
    let webhook: Webhook
    let deployment: Deployment
    let desk: OperatorDesk
    /// The log that is written to.
    let writer: any EventLog
    /// The names of letters that are marked as handled.
    let handled: Set<String>
    /// When to stop.
    let deadline: ContinuousClock.Instant?

    /// Carries out the steps that post; what the webhook does not take or is not sent becomes an impossible step.
    ///
    /// The operators' log has each post before it is made. A letter whose event was taken is then marked as handled, so
    /// that a redrive by filter, repeated after an interruption, leaves it out.
    /// - Throws: `LogError`; `CancellationError`.
    func run(_ redrive: inout Redrive) async throws {
        var failed: [UserID: String] = [:]
        var stopped: String?
        for index in self.order(of: redrive) {
            let letter = redrive.steps[index].letter
            guard let message = WebhookMessage(letter, of: self.deployment) else { continue }
            if stopped == nil, let deadline = self.deadline, .now >= deadline {
                stopped = "the time for one redrive is over; redrive again"
            }
            if let reason = stopped ?? letter.userID.flatMap({ failed[$0] }) {
                redrive.steps[index].step = .impossible("not tried: \(reason)")
                continue
            }
            try await self.write(.redrive, letter, by: self.desk, ["webhookId": .string(message.id)])
            let result = try await self.webhook.post(message, at: SystemRuntimeClock().now)
            switch result {
            case .delivered: try await self.mark(letter, message)
            case .refused: break
            case .failed:
                if let user = letter.userID { failed[user] = "dead letter \(letter.name) of this user failed" }
            case .unanswered: stopped = "the webhook did not answer the post of \(letter.name)"
            }
            if let reason = result.reason { redrive.steps[index].step = .impossible(reason) }
        }
    }

    /// The steps that post, in the order in which the events were given up: a user's letters share a partition.
    private func order(of redrive: Redrive) -> [Int] {
        redrive.posts.sorted { lhs, rhs in
            let (lhs, rhs) = (redrive.steps[lhs].letter.position, redrive.steps[rhs].letter.position)
            return (lhs.partition, lhs.offset) < (rhs.partition, rhs.offset)
        }
    }

    private func mark(_ letter: DeadLetter, _ message: WebhookMessage) async throws {
        guard !self.handled.contains(letter.name) else { return }
        var by = self.desk.by
        by.reason = "posted again as \(message.id)"
        try await self.write(.handled, letter, by: OperatorDesk(self.deployment, log: self.desk.log, by: by))
    }

    private func write(
        _ kind: OperatorAct.Kind,
        _ letter: DeadLetter,
        by desk: OperatorDesk,
        _ details: JSONObject = [:]
    ) async throws {
        let act = desk.act(
            kind,
            user: letter.userID,
            interaction: letter.interactionID,
            target: letter.name,
            details: details
        )
        try await self.writer.write([desk.record(act)])
    }
}
