internal import InMemoryLog
internal import IntentEvents
internal import IntentKit
internal import IntentLedger
internal import IntentRuntime
internal import SQLiteStore

extension LedgerConformance.Check {
    private typealias Suite = LedgerConformance

    /// What `records prune` and `audit verify` do with a ledger.
    static let housekeeping: [Self] =
        (1...3)
        .map { seed in
            Self(name: "R31, R48: effects and ends go when they are old and nobody can ask for them (seed \(seed))") {
                try await PrunedLedger(seed: UInt64(seed)).check($0.opened())
            }
        } + [
            Self(name: "an archive lists all effects of a partition, however many, and the ends") { suite in
                let ledger = try await suite.opened()
                // The results come in pages, which end in the middle of a request, and of the effects of one name.
                let all = (0..<2_310)
                    .map { number in
                        (request: "7:\(number / 7)", name: number % 7 < 2 ? "a" : "pay\u{0}", ordinal: number % 7)
                    }
                _ = try await ledger.write { store in
                    for (index, effect) in all.enumerated() {
                        try store.execute(
                            "INSERT INTO effects (request, name, ordinal, result, at) VALUES ($1, $2, $3, $4, $5)",
                            [
                                .string(effect.request), .string(effect.name), .integer(Int64(effect.ordinal)),
                                .string("{\"number\":\(index)}"), .integer(Int64(index)),
                            ]
                        )
                    }
                    return .null
                }
                for request in ["70:1", "6:1", "8:0"] {
                    _ = try await ledger.perform(Suite.key(request: request)) { _ in 1 }
                    _ = try await ledger.close(request: request, unlessEffects: false)
                }
                _ = try await ledger.close(request: "7:3", unlessEffects: false)
                let archive = LedgerArchive(of: ledger)
                let found = try await archive.effects(ofPartition: 7)
                try Suite.expect(
                    found.map {
                        "\($0.request) \($0.name) \($0.ordinal) \($0.at) \(String(decoding: $0.result, as: UTF8.self))"
                    },
                    all.enumerated()
                        .sorted { ($0.element.request, $0.element.ordinal) < ($1.element.request, $1.element.ordinal) }
                        .map { "\($1.request) \($1.name) \($1.ordinal) \($0) {\"number\":\($0)}" },
                    "the effects"
                )
                try Suite.expect(try await archive.closed(ofPartition: 7), ["7:3"], "the ends")
                try Suite.expect(try await archive.lastRequest(inPartition: 7), 329, "the last request")
            }
        ]
}

/// A ledger of some interactions, and topics that name some of them, made from a seed.
private struct PrunedLedger {
    private typealias Suite = LedgerConformance

    /// An interaction by its request's position.
    private struct Entry {
        var request: String
        /// The times of its effects.
        var effects: [Int64] = []
        /// When it has ended.
        var end: Int64?
        /// Whether somebody can still ask for its effects.
        var isReached = false
    }

    /// How many requests there were, and how many of them retention has left on the topic.
    private static let (count, left) = (90, 20)
    /// The time before which everything is old.
    private static let before: Int64 = 500
    /// The headers by which a record names an interaction that may ask.
    private static let headers = [EventHeaderName.request, EventHeaderName.redriveOf, "intentd_request"]
    /// The topics on which such a record is pending.
    private static let topics: [Topic] = [.requests, .resolved, .confirmed, .signals, .deadLetters, .state]

    private var entries: [Entry] = []
    /// The records of each topic, those first that retention has removed.
    private var gone: [Topic: [[LogHeader]]] = [:]
    private var pending: [Topic: [[LogHeader]]] = [:]

    init(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        for number in 0..<Self.count {
            var entry = Entry(request: "0:\(number)")
            entry.effects = (0..<numbers.below(4)).map { _ in Int64(numbers.below(1_000)) }
            entry.end = numbers.oneIn(5) ? nil : Int64(numbers.below(1_000))
            entry.isReached = number >= Self.count - Self.left
            if number == Self.count - Self.left {
                // The oldest on the topic, old and ended, and processed: nothing but its place keeps it.
                (entry.effects, entry.end) = ([1], 1)
            } else if numbers.oneIn(2) {
                let (topic, header) = (numbers.pick(Self.topics), LogHeader(numbers.pick(Self.headers), entry.request))
                if numbers.coin() {
                    self.pending[topic, default: []].append([header])
                    entry.isReached = true
                } else {
                    self.gone[topic, default: []].append([header])
                }
            }
            self.entries.append(entry)
        }
        // Not a request of the topic, so nothing is known about it.
        self.entries.append(Entry(request: "demo-data up", effects: [1], end: 1, isReached: true))
    }

    private static func isOld(_ entry: Entry) -> Bool {
        entry.end != nil && !entry.isReached && entry.effects.allSatisfy { $0 < Self.before }
    }

    /// Fills a ledger, prunes it, and compares what is left.
    func check(_ ledger: any LedgerStore) async throws {
        let (deployment, log) = try await self.makeTopics()
        for entry in self.entries {
            for ordinal in entry.effects.indices {
                _ = try await ledger.perform(Suite.key("pay", ordinal, request: entry.request)) { _ in 1 }
            }
            if entry.end != nil { _ = try await ledger.close(request: entry.request, unlessEffects: false) }
        }
        try await self.setTimes(in: ledger)
        let reach = try await LedgerReach.read(deployment, on: log)
        let before = Timestamp(milliseconds: Self.before)
        let old = self.entries.filter(Self.isOld)
        let ends = old.filter { $0.end ?? .max < Self.before }
        let effects = old.reduce(0) { $0 + $1.effects.count }
        let prunable = try await ledger.prunable(before: before, reach: reach)
        try Suite.expect(prunable.effects, effects, "the effects that would go")
        try Suite.expect(prunable.ends, ends.count { $0.effects.isEmpty }, "the ends that would go at once")
        let removed = try await ledger.prune(
            before: before,
            reach: reach,
            deployment: deployment.id,
            at: Timestamp(milliseconds: 1_000),
            signedBy: nil
        )
        try Suite.expect(removed.effects, effects, "the number of effects that went")
        try Suite.expect(removed.ends, ends.count, "the number of ends that went")
        let (gone, ended) = (Set(old.map(\.request)), Set(ends.map(\.request)))
        for entry in self.entries {
            let count = gone.contains(entry.request) ? 0 : entry.effects.count
            let found = try await ledger.effects(origin: entry.request).count
            try Suite.expect(found, count, "the effects of \(entry)")
        }
        try Suite.expect(
            try await LedgerArchive(of: ledger).closed(ofPartition: 0),
            Set(self.entries.filter { $0.end != nil && $0.request.hasPrefix("0:") }.map(\.request)).subtracting(ended),
            "the ends"
        )
        // What is younger than the mark says is still there.
        try Suite.expect(try await LedgerArchive(of: ledger).cuts().map(\.before), [before], "the mark")
    }

    private func setTimes(in ledger: any LedgerStore) async throws {
        let entries = self.entries
        _ = try await ledger.write { store in
            for entry in entries {
                for (ordinal, time) in entry.effects.enumerated() {
                    try store.execute(
                        "UPDATE effects SET at = $1 WHERE request = $2 AND ordinal = $3",
                        [.integer(time), .string(entry.request), .integer(Int64(ordinal))]
                    )
                }
                guard let end = entry.end else { continue }
                try store.execute(
                    "UPDATE closed_ledgers SET at = $1 WHERE request = $2",
                    [.integer(end), .string(entry.request)]
                )
            }
            return .null
        }
    }

    private func makeTopics() async throws -> (Deployment, InMemoryLog) {
        let log = InMemoryLog()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 1), on: log)
        let prefix = deployment.prefix
        for stage in Stage.allCases {
            await (try log.makeLane(StageWorker.lane("w-0", of: stage, prefix: prefix))).close()
        }
        let producer = try await log.makeProducer()
        for topic in Self.topics {
            let topicPartition = TopicPartition(topic.name(prefix: prefix), 0)
            func send(_ headers: [[LogHeader]], isGone: Bool = false) async throws {
                let records = headers.enumerated()
                    .map { index, headers in
                        topic == .state
                            ? Self.stateRecord(headers, topicPartition, index, isGone: isGone)
                            : OutgoingRecord(topicPartition: topicPartition, key: nil, value: nil, headers: headers)
                    }
                if !records.isEmpty { _ = try await producer.send(records) }
            }
            let (gone, pending) = (self.gone[topic] ?? [], self.pending[topic] ?? [])
            // On `requests`, those that are gone have the lower positions, and all others are there.
            let fill: (gone: Int, left: Int) =
                topic == .requests ? (Self.count - Self.left - gone.count, Self.left - 1) : (0, 0)
            try await send(gone + Array(repeating: [], count: fill.gone))
            let inputs = Stage.allCases.filter { topic == .signals || $0.inputTopic == topic }
            var processed = gone.count + fill.gone
            switch topic {
            // The state is compacted: a later entry without a value replaces the one that named a request.
            case .state: try await send(gone, isGone: true)
            // Of what its stages have processed, retention leaves a part.
            case .resolved, .confirmed, .signals: try log.trim(topicPartition, to: Int64(processed / 2))
            default: if processed > 0 { try log.trim(topicPartition, to: Int64(processed)) }
            }
            if topic == .requests {
                try await send([[]])
                processed += 1
            }
            try await send(pending + Array(repeating: [], count: fill.left))
            for stage in inputs {
                try log.setOffsets([topicPartition: Int64(processed)], of: stage.group(prefix: prefix))
            }
        }
        await producer.close()
        return (deployment, log)
    }

    /// An entry of the state that names a request: one of each form in turn; or its removal.
    private static func stateRecord(
        _ headers: [LogHeader],
        _ topicPartition: TopicPartition,
        _ index: Int,
        isGone: Bool
    ) -> OutgoingRecord {
        let request = RequestID(headers.first?.text ?? "")
        let interaction = Interaction(
            id: InteractionID("i\(index)"),
            request: request,
            startedAt: Timestamp(milliseconds: 0),
            user: RequestingUser(id: "ada"),
            device: RequestingDevice(),
            locale: "en-US",
            intent: IntentSnapshot(name: "PayIntent")
        )
        let event = StoredRecord(
            LogRecord(topicPartition: topicPartition, offset: 0, timestamp: 0, key: nil, value: nil, headers: headers),
            topic: .confirmed
        )
        let time = Timestamp(milliseconds: 1)
        let forms: [(StateName, [UInt8])] = [
            (.interaction(request), interaction.json.utf8),
            (
                .followed(request),
                FollowedInteraction(interaction: interaction, reported: [:], dueAt: time, until: time).json.utf8
            ),
            (.parked, ParkedTurn(event: event, interactionID: nil, startedAt: time, timeoutAt: time).json.utf8),
            (.queued(Int64(index)), event.json.utf8),
        ]
        let (name, value) = forms[index % forms.count]
        return OutgoingRecord(
            topicPartition: topicPartition,
            // A user has one parked turn.
            key: StateKey(stage: .handle, user: UserID("ada-\(index)"), name: name).bytes,
            value: isGone ? nil : value
        )
    }
}
