internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// The invariants that must hold at the end of a seed, whatever went wrong; read only from the topics, the store and
/// the records.
struct SeedCheck {
    let world: World
    let client: Client
    var history: History { self.world.history }

    /// Creates a check of a world that has settled.
    init(_ world: World, _ client: Client) {
        self.world = world
        self.client = client
    }

    /// The violated invariants, in words.
    func violations() -> [String] {
        self.endings() + self.effects() + self.identifiers() + self.partitions() + self.turns() + self.chains()
            + self.prompts() + self.owners() + self.crashes() + self.recorded() + self.followUps()
            + self.tasks() + self.acts() + self.pauses()
    }

    /// The event at a position.
    func event(at position: RecordPosition) -> Event? {
        self.history.records(of: position.topic, position.partition).first { $0.offset == position.offset }
            .flatMap { try? StoredRecord($0, topic: position.topic).decoded() }
    }

    /// The parked turn of its user that a turn has found.
    func parkedTurn(before turn: TurnRecord) -> ParkedTurn? {
        turn.before[StateName.parked].flatMap { ParkedTurn(text: $0) }
    }

    /// Every terminal response.
    var terminalResponses: [Event] {
        self.history.responses.filter { $0.type == EventType.intentResponded.rawValue && $0.data["terminal"] == true }
    }

    // MARK: Endings

    /// Each interaction has one terminal response (R9), unless there was no room for its request (R5).
    private func endings() -> [String] {
        var deliveries: [InteractionID: [String]] = [:]
        for partition in 0..<self.world.plan.partitions {
            for record in self.history.records(of: .requests, partition) {
                guard let event = try? StoredRecord(record, topic: .requests).decoded(),
                    event.knownType == .intentRequested, let subject = event.subject,
                    HomePartition.of(user: event.userID, count: self.world.plan.partitions) == partition
                else { continue }
                deliveries[subject, default: []].append(event.id)
            }
        }
        let refused = self.history.responses.filter { $0.data["reason"] == "busy" }
            .compactMap { $0.data["eventId"]?.string }
        let terminal = Dictionary(grouping: self.terminalResponses, by: { $0.subject ?? "" })
        var violations: [String] = []
        let subjects = Set(self.client.subjects).union(self.requestedFollowUps.keys)
        for subject in subjects.sorted() {
            let delivered = deliveries[subject] ?? []
            let refusals = refused.count { delivered.contains($0) }
            let expected = refusals < delivered.count ? 1 : 0
            let found = terminal[subject]?.count ?? 0
            if found != expected {
                violations.append(
                    "endings: \(subject) has \(found) terminal responses, not \(expected) "
                        + "(\(delivered.count) deliveries, \(refusals) refused)"
                )
            }
        }
        for subject in terminal.keys.sorted() where !subjects.contains(subject) {
            if self.world.isHostile, subject.hasPrefix(HostileClient.prefix) {
                if let count = terminal[subject]?.count, count > 1 {
                    violations.append("endings: \(subject) has \(count) terminal responses")
                }
                continue
            }
            violations.append("endings: nobody has asked for \(subject), which has ended")
        }
        return violations
    }

    // MARK: Effects

    /// Each effect was made once, none after the end, and all of those of a successful interaction (R30).
    private func effects() -> [String] {
        let rows = Dictionary(grouping: self.world.store.rows, by: \.interaction)
        var violations: [String] = []
        for (interaction, rows) in rows.sorted(by: { $0.key < $1.key }) {
            let returns = self.returns(ofHandleIn: InteractionID(interaction))
            for row in rows where row.round != returns {
                violations.append(
                    "effects: \(interaction)/\(row.ordinal) was made in round \(row.round), and handle went back "
                        + "\(returns) times"
                )
            }
            for row in rows where row.isLate {
                violations.append("effects: \(interaction)/\(row.ordinal) was made after the end")
            }
            if Set(rows.map(\.ordinal)).count != rows.count {
                violations.append("effects: \(interaction) made \(rows.map(\.ordinal))")
            }
        }
        for end in self.terminalResponses {
            guard let subject = end.subject else { continue }
            let made = rows[subject.text]?.count ?? 0
            violations += self.untold(end, made: made)
            let script = end.data["intent"]?["parameters"]?["script"]?.string.flatMap(HandlerScript.init)
            switch end.data["endReason"]?.string {
            case "nominal" where end.data["phase"] == "handle", "failed" where end.data["phase"] == "handle":
                guard let script else { continue }
                if made != script.effects {
                    violations.append("effects: \(subject) was done with \(made) effects, not \(script.effects)")
                }
                let posts = self.world.service.calls["\(subject)/post/0"] ?? 0
                if (posts > 0) != script.posts, end.data["code"] != "failure" || script.code == "failure" {
                    violations.append("effects: \(subject) was done with \(posts) posts")
                }
            case "abortedByUser", "abortedByOperator", "declined":
                let isUndone = (end.data["undoFailed"]?.array ?? []).isEmpty
                if made > 0, isUndone { violations.append("effects: \(subject) was given up after \(made) effects") }
            default: break
            }
        }
        return violations
    }

    /// How often handle has sent an interaction back, as far as that was committed (R72d).
    private func returns(ofHandleIn interaction: InteractionID) -> Int {
        self.history.turns.values.joined().map(\.turn)
            .count { turn in
                turn.stage == .handle && turn.outcome == .returned && turn.interactionID == interaction
            }
    }

    /// The terminal response names each effect that was made, or says that it does not know (R30).
    private func untold(_ end: Event, made: Int) -> [String] {
        let told = end.data["effects"]?.array?.count ?? 0
        let isIncomplete = end.data["effectsIncomplete"] == true
        guard isIncomplete ? told > made : told != made else { return [] }
        return ["effects: \(end.subject ?? "") made \(made), but the response names \(told)"]
    }

    // MARK: Identifiers

    /// No event of a stage is on a topic twice, and each answers an existing event (R7).
    private func identifiers() -> [String] {
        var violations: [String] = []
        var causes: Set<String> = []
        for topic in [Topic.requests, .resolved, .confirmed, .signals] {
            for records in (self.history.records[topic] ?? [:]).values {
                causes.formUnion(records.compactMap { $0.header(EventHeaderName.id) })
                // An event without an id of its own is named by its position.
                causes.formUnion(
                    records.map { RecordPosition(topic, $0.topicPartition.partition, $0.offset).description }
                )
            }
        }
        for topic in [Topic.responses, .userActivities, .journal] {
            var seen: Set<String> = []
            for (partition, records) in (self.history.records[topic] ?? [:]).sorted(by: { $0.key < $1.key }) {
                for record in records {
                    let position = "\(topic.rawValue)/\(partition)/\(record.offset)"
                    guard let id = record.header(EventHeaderName.id) else {
                        violations.append("identifiers: \(position) has no id")
                        continue
                    }
                    if !seen.insert(id).inserted { violations.append("identifiers: \(position) repeats \(id)") }
                    if let cause = record.header(EventHeaderName.causationID), !causes.contains(cause) {
                        violations.append("identifiers: \(position) answers \(cause), which does not exist")
                    }
                }
            }
        }
        return violations
    }

    /// Everything that stages write is in its user's home partition (R1).
    private func partitions() -> [String] {
        let count = self.world.plan.partitions
        var violations: [String] = []
        for topic in Topic.allCases where topic != .requests && topic != .state && topic != .deadLetters {
            for (partition, records) in (self.history.records[topic] ?? [:]).sorted(by: { $0.key < $1.key }) {
                for record in records {
                    // What a client wrote may name one user in its headers and another in its data, which counts.
                    let event = self.world.isHostile ? try? StoredRecord(record, topic: topic).decoded() : nil
                    guard let user = event?.userID ?? record.header(EventHeaderName.userID).map({ UserID($0) }),
                        !user.isEmpty
                    else {
                        continue
                    }
                    let home = HomePartition.of(user: user, count: count)
                    // The turn that sends an event home is journaled in the event's first partition.
                    let turn = TurnRecord(record)
                    guard home != partition, turn?.outcome != .forwarded else { continue }
                    // An event that is too large to be sent home becomes a dead letter where it is, and is journaled
                    // there (R47).
                    if let position = turn?.position, self.event(at: position) == nil { continue }
                    violations.append(
                        "partitions: \(topic.rawValue)/\(partition)/\(record.offset) is of \(user), at home in \(home)"
                    )
                }
            }
        }
        return violations
    }
}
