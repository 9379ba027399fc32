import ArgumentParser
import IntentEvents
import IntentOperations
import IntentRuntime

/// `intentd topics acls`: the access rules of the topics, printed or created (R60).
struct TopicsACLsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "acls",
        abstract: "Print the Kafka ACLs that a deployment needs, or create them.",
        discussion: """
            Principals are named as the broker knows them: User:anna for a SASL name, User:CN=anna,O=Example for a \
            certificate. Roles without a principal get no ACLs. --apply changes and removes no existing ACLs; it needs \
            ALTER on the cluster.
            """
    )

    @OptionGroup var output: JSONOption
    @OptionGroup var principals: PrincipalOptions

    @Option(
        help: ArgumentHelp(
            "A prefix of transactional ids that clients may use. Can be repeated. (default: none)",
            valueName: "prefix"
        )
    )
    var clientTransactions: [String] = []

    @Option(
        help: ArgumentHelp(
            "A prefix of consumer groups that clients may use. Can be repeated. (default: none)",
            valueName: "prefix"
        )
    )
    var clientGroups: [String] = []

    @Flag(help: "Create missing ACLs.")
    var apply = false

    @Flag(help: "Print commands for Kafka's tool kafka-acls.sh.")
    var commands = false

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard !self.principals.all.isEmpty else {
            throw ValidationError("name the principals, such as --client User:app --worker User:intentd")
        }
        let ways = [self.apply, self.commands, self.output.json && !self.apply].filter(\.self).count
        guard ways <= 1 else { throw ValidationError("--commands excludes --apply and --json") }
    }

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let rules = try self.rules(prefix: configuration.prefix)
        guard !self.commands else {
            let commands = AccessRuleText.commands(rules.map(\.rule), brokers: configuration.brokers)
            for command in commands { StandardOutput.print(command) }
            return
        }
        guard self.apply else {
            self.show(rules.map { ($0.role, $0.rule, .planned) })
            return
        }
        let access = try LogAccess.find(configuration)
        let (existing, impossible) = try await access.use { log in
            guard let log = log as? any AccessControlledLog else {
                throw OperationError(.configuration, "this log does not support ACLs")
            }
            let existing = try await log.accessRules()
            let missing = rules.map(\.rule).filter { !existing.contains($0) }
            return (existing, try await log.createAccessRules(missing))
        }
        self.show(
            rules.map { role, rule in
                (role, rule, existing.contains(rule) ? .exists : impossible.contains(rule) ? .impossible : .made)
            }
        )
        guard impossible.isEmpty else {
            let commands = AccessRuleText.commands(impossible, brokers: access.brokers)
            throw OperationError(
                .configuration,
                "this machine's librdkafka cannot create ACLs for transactional ids (2.6 and newer can), which workers "
                    + "need: create them with Kafka's tool kafka-acls.sh\n" + commands.joined(separator: "\n")
            )
        }
    }

    /// The rules, each once, with the first role that needs it.
    private func rules(prefix: String) throws(OperationError) -> [(role: AccessPlan.Role, rule: AccessRule)] {
        var plan = AccessPlan(prefix: prefix)
        plan.clientTransactions = self.clientTransactions
        plan.clientGroups = self.clientGroups
        for ids in self.clientTransactions {
            guard let stage = plan.stage(reachedBy: ids) else { continue }
            throw OperationError(
                .usage,
                "--client-transactions \(ids) covers the transactional ids of \(stage.rawValue)'s workers, which clients "
                    + "could then fence: use another prefix"
            )
        }
        for groups in self.clientGroups {
            guard let group = plan.group(reachedBy: groups) else { continue }
            throw OperationError(
                .usage,
                "--client-groups \(groups) covers the group \(group), whose partitions clients could then take: "
                    + "use another prefix"
            )
        }
        let all = self.principals.all
        let clients = Set(all.filter { $0.role == .client }.map(\.principal))
        if let both = all.first(where: { $0.role.isStage && clients.contains($0.principal) }) {
            throw OperationError(
                .usage,
                "\(both.principal) is a client and a worker of \(both.role.rawValue): clients could then write what only "
                    + "workers may. Use separate principals"
            )
        }
        var seen: Set<AccessRule> = []
        return all.flatMap { role, principal in plan.rules(for: role, principal: principal).map { (role, $0) } }
            .filter { seen.insert($0.1).inserted }
    }

    private func show(_ rules: [(role: AccessPlan.Role, rule: AccessRule, state: AccessRuleText.State)]) {
        guard !self.output.json else {
            for (role, rule, state) in rules { StandardOutput.print(AccessRuleText.json(rule, role: role, state)) }
            return
        }
        var headings = ["ROLE", "PRINCIPAL", "OPERATION", "RESOURCE", "NAME"]
        if self.apply { headings.append("STATE") }
        var table = Table(headings)
        for (role, rule, state) in rules {
            var cells = [role.rawValue, rule.principal.text, rule.operation.rawValue, rule.resource.rawValue]
            cells.append(rule.name.text + (rule.isPrefix ? "*" : ""))
            if self.apply { cells.append(state.rawValue) }
            table.add(cells)
        }
        table.show()
    }
}

extension AccessPlan.Role {
    fileprivate var isStage: Bool { Stage(rawValue: self.rawValue) != nil }
}
