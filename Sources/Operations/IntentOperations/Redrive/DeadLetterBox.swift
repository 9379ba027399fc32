package import IntentEvents
internal import IntentKit
package import IntentRecords
package import IntentRuntime

/// The current content of the topic `dead-letters`.
///
/// The commands read the topic instead of the record database. A redrive needs the topics anyway, and an operator sees
/// a letter at once, on any machine.
package struct DeadLetterBox {
    private let prefix: String
    private let log: any EventLog

    package init(prefix: String, log: any EventLog) {
        self.prefix = prefix
        self.log = log
    }

    /// A dead letter of the topic as it is listed.
    package struct Listed: Sendable {
        package var letter: DeadLetter
        package var brief: RecordedLetter
        /// The last interaction as which it was sent again.
        package var redrivenAs: InteractionID?
    }

    /// The letters that a filter selects, the oldest first.
    /// - Throws: `LogError`; ``OperationError`` when there are no topics.
    package func list(_ filter: DeadLetterFilter, of deployment: Deployment) async throws -> [Listed] {
        let letters = try await self.letters { filter.maySelect(RecordedLetter($0)) }
        guard !letters.isEmpty else { return [] }
        let known = try await Redrive.known(letters, of: deployment, on: self.log)
        let handled = try await self.handled(letters)
        return
            letters.map { letter in
                var brief = RecordedLetter(letter, intent: letter.headers.request.flatMap { known.intents[$0] })
                brief.handled = handled[letter.name]
                return Listed(
                    letter: letter,
                    brief: brief,
                    redrivenAs: known.sent[letter.position.description]
                )
            }
            .filter { filter.selects($0.brief) }
    }

    /// The selected letters, the oldest first.
    /// - Throws: `LogError`; ``OperationError`` when there are no topics.
    package func letters(_ selects: (DeadLetter) -> Bool) async throws -> [DeadLetter] {
        let partitions = try await TopicSelection([Topic.deadLetters.rawValue], prefix: self.prefix, log: self.log)
            .partitions
        let ends = try await self.log.offsets(partitions, at: .lastStable)
        let starts = try await self.log.offsets(partitions, at: .earliest)
        var letters: [DeadLetter] = []
        try await self.log.read(
            ends.reduce(into: [:]) { ranges, end in
                let start = starts[end.key] ?? 0
                ranges[end.key] = start..<max(start, end.value)
            }
        ) { records in
            letters += records.map { DeadLetter($0, prefix: self.prefix) }.filter(selects)
        }
        return letters.sorted { lhs, rhs in
            (lhs.record.timestamp, lhs.position.partition, lhs.position.offset)
                < (rhs.record.timestamp, rhs.position.partition, rhs.position.offset)
        }
    }

    /// The letters of these names, in their order.
    /// - Throws: `LogError`; ``OperationError`` (66) that names a missing one.
    package func letters(named names: [DeadLetterName]) async throws -> [DeadLetter] {
        let wanted = Set(names.map(\.text))
        let found = try await self.letters { wanted.contains($0.name) }
        let byName = Dictionary(found.map { ($0.name, $0) }) { $1 }
        var seen: Set<DeadLetterName> = []
        return try names.filter { seen.insert($0).inserted }
            .map { name in
                guard let letter = byName[name.text] else {
                    throw OperationError(
                        .noInput,
                        "dead letter \(name.text) not found; list dead letters with `intentd dead-letters list`"
                    )
                }
                return letter
            }
    }

    // MARK: Handled

    /// The marks of letters, by the letters' names; the first of each counts (R84e).
    /// - Throws: `LogError`; ``OperationError`` when there are no topics.
    package func handled(_ letters: [DeadLetter]) async throws -> [String: LetterHandling] {
        guard let oldest = letters.map(\.record.timestamp).min() else { return [:] }
        let names = Set(letters.map(\.name))
        var handled: [String: LetterHandling] = [:]
        let since = oldest - LetterHandling.clockSlack
        for one in try await self.log.acts(.handled, since: since, prefix: self.prefix) {
            guard let name = one.act.target, names.contains(name), handled[name] == nil else { continue }
            handled[name] = LetterHandling(by: one.act.by.name, at: one.at, note: one.act.by.reason)
        }
        return handled
    }

    /// Marks letters as handled; those that are marked keep their mark.
    ///
    /// - Parameters:
    ///   - letters: The letters.
    ///   - deployment: Their deployment.
    ///   - isDryRun: Whether to write nothing.
    ///   - by: Who has handled them, with the note as the reason.
    ///   - writer: The log that is written to; nil for the one that is read.
    /// - Returns: The letters with the marks that they had before.
    /// - Throws: `LogError`; ``OperationError``, `usage`, when there is no note.
    package func handle(
        _ letters: [DeadLetter],
        of deployment: Deployment,
        isDryRun: Bool,
        by: OperatorAct.Operator,
        writer: (any EventLog)? = nil
    ) async throws -> [(letter: DeadLetter, before: LetterHandling?)] {
        guard by.reason != nil else {
            throw OperationError(.usage, "write a note: what was done about these dead letters")
        }
        let before = try await self.handled(letters)
        let desk = OperatorDesk(deployment, log: self.log, by: by)
        let records = letters.filter { before[$0.name] == nil }
            .map { letter in
                desk.record(
                    desk.act(.handled, user: letter.userID, interaction: letter.interactionID, target: letter.name)
                )
            }
        if !isDryRun, !records.isEmpty { try await (writer ?? self.log).write(records) }
        return letters.map { ($0, before[$0.name]) }
    }

    // MARK: Redriving

    /// Sends the requests of letters again (R48), and posts the events again that the webhook did not take (R88).
    ///
    /// - Parameters:
    ///   - letters: The letters.
    ///   - deployment: Their deployment.
    ///   - configuration: The configuration, which names the webhook.
    ///   - again: Whether to send also requests that were sent again before.
    ///   - isDryRun: Whether to send nothing, and only return the plan.
    ///   - by: Who sends them, for the operators' log.
    ///   - writer: The log that is written to; nil for the one that is read.
    ///   - postTime: After this time no further post begins; nil for no limit.
    /// - Returns: What was done, or would be, about each letter.
    /// - Throws: `LogError`; `CancellationError`; ``OperationError`` when the webhook's secrets cannot be read.
    package func redrive(
        _ letters: [DeadLetter],
        of deployment: Deployment,
        _ configuration: Configuration,
        again: Bool = false,
        isDryRun: Bool,
        by: OperatorAct.Operator,
        writer: (any EventLog)? = nil,
        postTime: Duration? = nil
    ) async throws -> Redrive {
        var redrive = try await Redrive(
            letters,
            of: deployment,
            on: self.log,
            key: try await self.key(deployment, isDryRun: isDryRun),
            again: again,
            now: SystemRuntimeClock().now
        )
        let webhook = try redrive.posts.isEmpty ? nil : Webhook(configuration)
        for index in redrive.posts {
            if webhook == nil {
                redrive.steps[index].step = .impossible("gateway.webhooks.url is not set here")
            } else if WebhookMessage(redrive.steps[index].letter, of: deployment) == nil {
                redrive.steps[index].step = .impossible("it holds no event that is posted")
            }
        }
        guard !isDryRun else { return redrive }
        let desk = OperatorDesk(deployment, log: self.log, by: by)
        let records = redrive.steps.flatMap { letter, step -> [OutgoingRecord] in
            guard case .send(let request, let id) = step else { return [] }
            let act = desk.act(
                .redrive,
                user: letter.userID,
                interaction: letter.interactionID,
                target: letter.name,
                details: ["redrivenAs": id.json]
            )
            return [desk.record(act), request]
        }
        let writer = writer ?? self.log
        if !records.isEmpty { try await writer.write(records) }
        if let webhook {
            let posts = WebhookRedrive(
                webhook: webhook,
                deployment: deployment,
                desk: desk,
                writer: writer,
                handled: Set(try await self.handled(redrive.posts.map { redrive.steps[$0].letter }).keys),
                deadline: postTime.map { .now + $0 }
            )
            try await posts.run(&redrive)
        }
        return redrive
    }

    /// The deployment's key; a dry run does not write one.
    private func key(_ deployment: Deployment, isDryRun: Bool) async throws -> RedriveKey {
        guard isDryRun else { return try await deployment.makeRedriveKey(on: self.log) }
        if let key = try await deployment.redriveKey(on: self.log) { return key }
        return try await deployment.draftRedriveKey(on: self.log)
    }
}
