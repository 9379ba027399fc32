package import IntentEvents

/// Who may do what on a deployment's topics, and no more than they need (R60).
package struct AccessPlan: Hashable, Sendable {
    /// What somebody is to a deployment.
    package enum Role: String, Sendable, CaseIterable {
        /// Asks for things, and reads what comes of them.
        case client
        /// Works the stage resolve.
        case resolve
        /// Works the stage confirm.
        case confirm
        /// Works the stage handle.
        case handle
        /// Keeps everything in SQLite.
        case recorder
        /// Replays and verifies, joins no group and writes nothing.
        case auditor
        /// Makes topics, looks at lag and dead letters, sends dead letters' requests again.
        case `operator`
    }

    /// What the topics' names begin with.
    package var prefix: String
    /// What the transactional ids of clients may begin with; none: clients have no transactions.
    package var clientTransactions: [String] = []
    /// What the names of clients' consumer groups may begin with; none: clients read without a group.
    package var clientGroups: [String] = []

    /// Plans for a deployment; clients have neither transactions nor groups.
    package init(prefix: String) {
        self.prefix = prefix
    }

    /// What a role needs.
    ///
    /// Each topic is named: a rule about what names begin with would reach into a deployment whose prefix goes on from
    /// this one's.
    package func rules(for role: Role, principal: PrincipalName) -> [AccessRule] {
        func topics(_ operation: AccessRule.Operation, _ topics: [Topic]) -> [AccessRule] {
            topics.map { AccessRule(principal, operation, .topic, ResourceName($0.name(prefix: self.prefix).text)) }
        }
        // Everybody of intentd finds the deployment first: all its topics, their settings, and its id in `state`.
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
            return found + topics(.read, Topic.allCases)
                + [AccessRule(principal, .read, .group, ResourceName("\(self.prefix).record"))]
        case .auditor: return found + topics(.read, Topic.allCases)
        case .operator:
            return found + topics(.create, Topic.allCases) + topics(.read, Topic.allCases)
                + topics(.write, [.requests, .state])
                + self.groups.map { AccessRule(principal, .describe, .group, ResourceName($0.text)) }
                + [AccessRule(principal, .idempotentWrite, .cluster, AccessRule.clusterName)]
        }
    }

    /// The groups of the stages, and the recorder's.
    private var groups: [GroupName] {
        Stage.allCases.map { StageWorker.group($0, prefix: self.prefix) } + [GroupName("\(self.prefix).record")]
    }

    private func rules(
        of stage: Stage,
        _ principal: PrincipalName,
        _ topics: (AccessRule.Operation, [Topic]) -> [AccessRule]
    ) -> [AccessRule] {
        let group = StageWorker.group(stage, prefix: self.prefix)
        return topics(.read, [stage.inputTopic, .signals, .state]) + topics(.write, stage.outputTopics)
            + [
                AccessRule(principal, .read, .group, ResourceName(group.text)),
                AccessRule(
                    principal,
                    .write,
                    .transactionalID,
                    Self.transactions(of: stage, self.prefix),
                    isPrefix: true
                ),
                AccessRule(principal, .idempotentWrite, .cluster, AccessRule.clusterName),
            ]
    }

    /// What the transactional ids of a stage's lanes begin with.
    private static func transactions(of stage: Stage, _ prefix: String) -> ResourceName {
        ResourceName(LaneConfiguration.transactionalID(group: StageWorker.group(stage, prefix: prefix), name: ""))
    }

    /// The stage whose lanes a client could fence with transactional ids that begin so; nil when there is none.
    package func stage(reachedBy clientTransactions: String) -> Stage? {
        let client = ResourceName(clientTransactions)
        return Stage.allCases.first { stage in
            let own = Self.transactions(of: stage, self.prefix)
            return own.hasPrefix(client) || client.hasPrefix(own)
        }
    }

    /// The group of intentd's own that a client could join with groups that begin so; nil when there is none.
    package func group(reachedBy clientGroups: String) -> GroupName? {
        self.groups.first { $0.hasPrefix(clientGroups) }
    }
}
