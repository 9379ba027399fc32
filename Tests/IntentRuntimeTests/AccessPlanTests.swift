import IntentEvents
import IntentRuntime
import Testing

/// The access rights on a deployment's topics (R60).
struct AccessPlanTests {
    private static func rules(_ role: AccessPlan.Role) -> [AccessRule] {
        AccessPlan(prefix: "p").rules(for: role, principal: "User:x")
    }

    private static func written(by role: AccessPlan.Role) -> Set<ResourceName> {
        Set(Self.rules(role).filter { $0.resource == .topic && $0.operation == .write }.map(\.name))
    }

    private static func read(by role: AccessPlan.Role) -> Set<ResourceName> {
        Set(Self.rules(role).filter { $0.resource == .topic && $0.operation == .read }.map(\.name))
    }

    @Test func clientWritesRequestsAndReadsAnswersOnly() {
        #expect(
            Self.rules(.client) == [
                AccessRule("User:x", .write, .topic, "p.requests"),
                AccessRule("User:x", .read, .topic, "p.responses"),
                AccessRule("User:x", .read, .topic, "p.user-activities"),
            ]
        )
    }

    @Test func clientsGetTransactionsAndGroupsOnlyOnRequest() {
        var plan = AccessPlan(prefix: "p")
        plan.clientTransactions = ["app-"]
        plan.clientGroups = ["readers-"]
        let more = plan.rules(for: .client, principal: "User:x").filter { !Self.rules(.client).contains($0) }
        #expect(
            Set(more) == [
                AccessRule("User:x", .write, .transactionalID, "app-", isPrefix: true),
                AccessRule("User:x", .read, .group, "readers-", isPrefix: true),
            ]
        )
    }

    @Test func stageWritesOnlyWhatItPassesOn() {
        let common = Set(
            ["signals", "responses", "user-activities", "journal", "dead-letters", "state"]
                .map { ResourceName("p.\($0)") }
        )
        #expect(Self.written(by: .resolve) == common.union(["p.requests", "p.resolved"]))
        #expect(Self.written(by: .confirm) == common.union(["p.confirmed"]))
        #expect(Self.written(by: .handle) == common)
        #expect(Self.read(by: .resolve) == ["p.requests", "p.signals", "p.state"])
        #expect(Self.read(by: .confirm) == ["p.resolved", "p.signals", "p.state"])
        #expect(Self.read(by: .handle) == ["p.confirmed", "p.signals", "p.state"])
    }

    @Test func stageHasOnlyItsOwnGroupAndTransactions() {
        for stage in Stage.allCases {
            let rules = Self.rules(AccessPlan.Role(rawValue: stage.rawValue) ?? .client)
            let group = stage.group(prefix: "p")
            #expect(
                rules.filter { $0.resource == .group } == [
                    AccessRule("User:x", .read, .group, ResourceName(group.text))
                ]
            )
            #expect(
                rules.filter { $0.resource == .transactionalID } == [
                    AccessRule("User:x", .write, .transactionalID, "\(group)/", isPrefix: true)
                ]
            )
            // A lane's real transactional id begins like this.
            #expect(LaneConfiguration.transactionalID(group: group, name: "w-0").hasPrefix("\(group)/"))
        }
    }

    @Test func recorderAndAuditorWriteNothing() {
        let all = Set(Topic.allCases.map { ResourceName($0.name(prefix: "p").text) })
        for role in [AccessPlan.Role.recorder, .auditor] {
            #expect(Self.written(by: role).isEmpty)
            #expect(Self.read(by: role) == all)
            #expect(!Self.rules(role).contains { $0.resource == .transactionalID || $0.resource == .cluster })
        }
        let groups = Self.rules(.recorder).filter { $0.resource == .group }
        #expect(groups.filter { $0.operation == .read }.map(\.name) == ["p.record"])
        #expect(groups.filter { $0.operation == .describe }.map(\.name) == ["p.resolve", "p.confirm", "p.handle"])
        #expect(!Self.rules(.auditor).contains { $0.resource == .group })
    }

    @Test func gatewayWritesRequestsAndItsDeadLettersOnly() {
        #expect(Self.written(by: .gateway) == ["p.requests", "p.dead-letters"])
        #expect(Self.read(by: .gateway) == ["p.requests", "p.responses", "p.user-activities", "p.state"])
        #expect(Self.rules(.gateway).filter { $0.resource == .group }.map(\.name) == ["p.webhooks"])
    }

    @Test func onlyConfirmWritesConfirmedIntents() {
        let writers = AccessPlan.Role.allCases.filter { Self.written(by: $0).contains("p.confirmed") }
        #expect(writers == [.confirm])
    }

    @Test func rulesDoNotReachDeploymentsWithLongerPrefix() {
        for role in AccessPlan.Role.allCases {
            for rule in Self.rules(role) where rule.isPrefix {
                #expect(rule.resource == .transactionalID && rule.name.text.hasSuffix("/"))
            }
        }
    }

    @Test(arguments: ["", "p", "p.", "p.handle", "p.handle/", "p.handle/w-0"])
    func findsClientTransactionsThatReachWorkers(_ prefix: String) {
        #expect(AccessPlan(prefix: "p").stage(reachedBy: prefix) != nil)
    }

    @Test(arguments: ["app-", "p.client/", "p.handler/", "P.handle/"])
    func acceptsClientsOwnTransactions(_ prefix: String) {
        #expect(AccessPlan(prefix: "p").stage(reachedBy: prefix) == nil)
    }

    @Test func findsClientGroupsThatReachWorkers() {
        let plan = AccessPlan(prefix: "p")
        #expect(plan.group(reachedBy: "p.rec") == "p.record")
        #expect(plan.group(reachedBy: "") != nil)
        #expect(plan.group(reachedBy: "p.recorders") == nil)
        #expect(plan.group(reachedBy: "app") == nil)
    }
}
