package import IntentEvents
package import IntentKit

/// What an operator does, and so a record of the operators' log (R82, R93).
package struct OperatorAct: Hashable, Sendable {
    /// What is done.
    package enum Kind: String, Sendable, CaseIterable {
        /// An interaction is cancelled.
        case cancel
        /// The next attempt of an interaction begins at once.
        case retry
        /// Interactions of an intent are held before their handlers are called.
        case pause
        /// A pause ends.
        case resume
        /// A dead letter's request is sent again (R48).
        case redrive
        /// A dead letter is marked as handled (R84e).
        case handled
        /// The outcome of a post is decided (R76).
        case decide
        /// A user's vocabulary is changed (R37).
        case vocabulary
        /// A worker is removed from its groups (R67).
        case leave
        /// Old records are removed (R39).
        case prune

        /// Whether stages carry it out; they do not read other acts.
        package var isForStages: Bool {
            switch self {
            case .cancel, .retry, .pause, .resume: true
            case .redrive, .handled, .decide, .vocabulary, .leave, .prune: false
            }
        }
    }

    /// Who acts.
    package struct Operator: Hashable, Sendable {
        /// The longest name, in bytes.
        package static let longestName = 128
        /// The longest reason, in bytes.
        package static let longestReason = 1_024

        package var name: String
        /// Where: `terminal` or `console`.
        package var via: String
        /// Why; nil where nobody has said so.
        package var reason: String?

        package init(_ name: String, via: String, reason: String? = nil) {
            self.name = name
            self.via = via
            self.reason = reason
        }
    }

    /// The user of acts that are about no user.
    package static let nobody: UserID = "intentd.operators"

    package var kind: Kind
    package var by: Operator
    /// The user whom it is about; nil for none.
    package var user: UserID?
    /// The interaction that it is about.
    package var interaction: InteractionID?
    /// That interaction's request.
    package var request: RequestID?
    /// What else it is about: a dead letter's name, a worker.
    package var target: String?
    /// What was done, by kind.
    package var details: JSONObject = [:]

    package init(_ kind: Kind, by: Operator) {
        self.kind = kind
        self.by = by
    }

    /// Reads an event; nil when it is no act, one that this version does not know, or one with a longer name or reason
    /// than any operator can give.
    package init?(_ event: Event) {
        guard event.knownType == .operatorActed, let kind = event["act"]?.string.flatMap(Kind.init(rawValue:)),
            let name = event["by"]?.string, name.utf8.count <= Operator.longestName,
            (event["reason"]?.string?.utf8.count ?? 0) <= Operator.longestReason
        else { return nil }
        self.init(
            kind,
            by: Operator(name, via: event["via"]?.string ?? "terminal", reason: event["reason"]?.string)
        )
        self.user = event.userID == Self.nobody || Pause.isKeeper(event.userID) ? nil : event.userID
        self.interaction = event.subject
        self.request = event.request
        self.target = event["target"]?.string
        self.details = event["details"]?.object ?? [:]
    }

    /// The records of a pause or its end: one for each stage and partition.
    ///
    /// The first one is the log's, and the others are copies of it, with the same id.
    ///
    /// - Parameters:
    ///   - stages: The stages.
    ///   - deployment: The deployment.
    ///   - now: The time.
    /// - Returns: The records, for `signals`.
    package func records(for stages: [Stage], of deployment: Deployment, now: Timestamp) -> [OutgoingRecord] {
        let id = RedriveKey.randomText(byteCount: 16)
        var records: [OutgoingRecord] = []
        for partition in 0..<deployment.partitions {
            let keeper = Pause.keeper(ofPartition: partition, of: deployment.partitions)
            for stage in stages {
                records.append(
                    self.record(of: deployment, now: now, id: id, for: keeper, stage, isCopy: !records.isEmpty)
                )
            }
        }
        return records
    }

    /// The record that carries it.
    ///
    /// - Parameters:
    ///   - deployment: The deployment.
    ///   - now: The time.
    /// - Returns: The record, for `signals`.
    package func record(of deployment: Deployment, now: Timestamp) -> OutgoingRecord {
        let id = RedriveKey.randomText(byteCount: 16)
        let stage: Stage? = self.kind.isForStages ? .resolve : nil
        return self.record(of: deployment, now: now, id: id, for: self.user ?? Self.nobody, stage, isCopy: false)
    }

    private func record(
        of deployment: Deployment,
        now: Timestamp,
        id: String,
        for user: UserID,
        _ stage: Stage?,
        isCopy: Bool
    ) -> OutgoingRecord {
        let data = JSONValue.members([
            "act": .string(self.kind.rawValue),
            "by": .string(self.by.name),
            "copy": isCopy ? true : nil,
            "details": self.details.isEmpty ? nil : .object(self.details),
            "reason": self.by.reason.map(JSONValue.string),
            "target": self.target.map(JSONValue.string),
            "user": ["id": user.json],
            "via": .string(self.by.via),
        ])
        let event = Event(
            id: id,
            source: "/intentd/operators",
            type: .operatorActed,
            time: now,
            subject: self.interaction,
            userID: user,
            stage: stage,
            request: self.request,
            data: data
        )
        return OutgoingRecord(
            topicPartition: deployment.topicPartition(.signals, deployment.home(of: user)),
            content: event.content
        )
    }
}
