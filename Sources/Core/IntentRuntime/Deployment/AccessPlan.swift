package import IntentEvents

/// Who may do what on a deployment's topics, and no more than each needs (R60).
package struct AccessPlan: Hashable, Sendable {
    package enum Role: String, Sendable, CaseIterable {
        /// Writes requests, and reads the responses.
        case client
        case resolve
        case confirm
        case handle
        /// Records everything in SQLite, and measures all groups (R81a).
        case recorder
        /// Serves clients that do not speak Kafka, and posts events to the webhook (R85, R88).
        case gateway
        /// Replays and verifies, joins no group and writes nothing.
        case auditor
        /// Creates topics, reads lag and dead letters, and redrives.
        case `operator`
    }

    /// The prefix of the topics' names.
    package var prefix: String
    /// Prefixes of clients' transactional ids; empty: clients have no transactions.
    package var clientTransactions: [String] = []
    /// Prefixes of clients' consumer groups; empty: clients read without a group.
    package var clientGroups: [String] = []

    /// Plans for a deployment whose clients have neither transactions nor groups.
    package init(prefix: String) { self.prefix = prefix }

    /// The rules that a role needs.
    ///
    /// Each topic is named: a rule about a prefix would also match a deployment whose prefix begins with this one's.
    package func rules(for role: Role, principal: PrincipalName) -> [AccessRule] {
        func topics(_ operation: AccessRule.Operation, _ topics: [Topic]) -> [AccessRule] {
            topics.map { AccessRule(principal, operation, .topic, ResourceName($0.name(prefix: self.prefix).text)) }
        }
        func group(_ operation: AccessRule.Operation, _ name: GroupName) -> AccessRule {
            AccessRule(principal, operation, .group, ResourceName(name.text))
        }
        let writing = AccessRule(principal, .idempotentWrite, .cluster, AccessRule.clusterName)
        // Every role of intentd first finds the deployment: all its topics, their settings, and its id in `state`.
        let found = topics(.describe, Topic.allCases) + topics(.describeConfigs, Topic.allCases)
        switch role {
        case .client:
            return topics(.write, [.requests]) + topics(.read, [.responses, .userActivities])
                + self.clientGroups.map { AccessRule(principal, .read, .group, ResourceName($0), isPrefix: true) }
                + self.clientTransactions.map {
                    AccessRule(principal, .write, .transactionalID, ResourceName($0), isPrefix: true)
                }
        case .resolve: return found + self.rules(of: .resolve, principal, topics)
        case .confirm: return found + self.rules(of: .confirm, principal, topics)
        case .handle: return found + self.rules(of: .handle, principal, topics)
        case .recorder:
            return found + topics(.read, Topic.allCases) + [group(.read, WorkerRole.record.group(prefix: self.prefix))]
                + Stage.allCases.map { group(.describe, $0.group(prefix: self.prefix)) }
        case .gateway:
            return found + topics(.read, [.requests, .responses, .userActivities, .state])
                + topics(.write, [.requests, .deadLetters]) + [group(.read, .webhooks(prefix: self.prefix)), writing]
        case .auditor: return found + topics(.read, Topic.allCases)
        case .operator:
            return found + topics(.create, Topic.allCases) + topics(.read, Topic.allCases)
                + topics(.write, [.requests, .signals, .state])
                + self.groups.map { group(.describe, $0) } + [writing]
        }
    }

    /// The groups of the stages, the recorder's and the gateway's.
    private var groups: [GroupName] {
        WorkerRole.allCases.map { $0.group(prefix: self.prefix) } + [.webhooks(prefix: self.prefix)]
    }

    private func rules(
        of stage: Stage,
        _ principal: PrincipalName,
        _ topics: (AccessRule.Operation, [Topic]) -> [AccessRule]
    ) -> [AccessRule] {
        let group = stage.group(prefix: self.prefix)
        let transactions = Self.transactions(of: stage, self.prefix)
        return topics(.read, stage.inputTopics + [.state]) + topics(.write, stage.outputTopics)
            + [
                AccessRule(principal, .read, .group, ResourceName(group.text)),
                AccessRule(principal, .write, .transactionalID, transactions, isPrefix: true),
                AccessRule(principal, .idempotentWrite, .cluster, AccessRule.clusterName),
            ]
    }

    /// The prefix of the transactional ids of a stage's lanes.
    private static func transactions(of stage: Stage, _ prefix: String) -> ResourceName {
        ResourceName(LaneConfiguration.transactionalID(group: stage.group(prefix: prefix), name: ""))
    }

    /// The stage whose lanes a client could fence with transactional ids of that prefix; nil when there is none.
    package func stage(reachedBy clientTransactions: String) -> Stage? {
        let client = ResourceName(clientTransactions)
        return Stage.allCases.first { stage in
            let own = Self.transactions(of: stage, self.prefix)
            return own.hasPrefix(client) || client.hasPrefix(own)
        }
    }

    /// The group of intentd's own that a client could join with groups of that prefix; nil when there is none.
    package func group(reachedBy clientGroups: String) -> GroupName? {
        self.groups.first { $0.hasPrefix(clientGroups) }
    }
}
