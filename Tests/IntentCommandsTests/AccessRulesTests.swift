import IntentEvents
import IntentLab
import IntentRuntime
import Logging
import Testing

@testable import IntentCommands
@testable import IntentOperations

/// `topics acls`, and the warning of workers at their start (R60).
struct AccessRulesTests {
    @Test func workersWarnOfExternalBrokerWithoutAuthorizer() async throws {
        let directory = try TemporaryDirectory()
        var configuration = Configuration()
        configuration.values[Setting.data.key] = .init(value: .text(directory.path), origin: .byDefault)
        configuration.values[Setting.logLevel.key] = .init(value: .text("critical"), origin: .byDefault)
        let access = try await LogAccess.start(configuration, listen: nil)
        #expect(access.isEmbedded)
        try await access.use { log in
            for isEmbedded in [true, false] {
                let kept = LogLines()
                await AccessNotice.report(on: log, isEmbedded: isEmbedded, logger: kept.logger())
                let lines = kept.all
                #expect(lines.count == 1)
                #expect(lines.first?.level == (isEmbedded ? .debug : .warning))
                #expect(lines.first?.message.contains("no authorizer") == true)
            }
            var named = configuration
            named.values[Setting.brokers.key] = .init(value: .list(access.brokers), origin: .byDefault)
            let byName = try LogAccess.find(named)
            let byDirectory = try LogAccess.find(configuration)
            #expect(!byName.isEmbedded && byDirectory.isEmbedded)
            await byName.close()
            await byDirectory.close()
            let words = ["topics", "acls", "--apply", "--client", "User:a", "--data", directory.path]
            let status = await RootCommand.run(words + ["--log-level", "critical"])
            #expect(status == ExitStatus.configuration.rawValue)
        }
    }

    @Test(arguments: [
        [],
        ["--client", "anna"],
        ["--client", "User:"],
        ["--client", "User:a", "--client-transactions", "intents.confirm"],
        ["--client", "User:a", "--client-groups", "intents.r"],
        ["--client", "User:a", "--worker", "User:a"],
        ["--client", "User:a", "--apply", "--commands"],
    ])
    func refusesImpossibleACLArguments(_ arguments: [String]) async {
        #expect(await RootCommand.run(["topics", "acls"] + arguments) == ExitStatus.usage.rawValue)
    }

    @Test func kafkaACLCommandsQuoteNamesAndGroupOperations() {
        let rules = [
            AccessRule("User:CN=it's", .describe, .topic, "p.requests"),
            AccessRule("User:CN=it's", .describeConfigs, .topic, "p.requests"),
            AccessRule("User:b", .write, .transactionalID, "p.handle/", isPrefix: true),
            AccessRule("User:b", .idempotentWrite, .cluster, AccessRule.clusterName),
        ]
        let start = "kafka-acls.sh --bootstrap-server h:1 --command-config admin.properties --add --allow-principal "
        #expect(
            AccessRuleText.commands(rules, brokers: ["h:1"]) == [
                start + "'User:CN=it'\\''s' --operation Describe --operation DescribeConfigs "
                    + "--resource-pattern-type literal --topic 'p.requests'",
                start + "'User:b' --operation Write --resource-pattern-type prefixed --transactional-id 'p.handle/'",
                start + "'User:b' --operation IdempotentWrite --resource-pattern-type literal --cluster",
            ]
        )
    }
}
