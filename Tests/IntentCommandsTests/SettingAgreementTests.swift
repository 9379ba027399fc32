import Foundation
import IntentLab
import IntentRuntime
import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("R52: `config check` accepts no setting that `up` or `work` refuses")
struct SettingAgreementTests {
    private let directory: TemporaryDirectory

    init() throws { self.directory = try TemporaryDirectory() }

    /// Values that each setting must not have, as YAML.
    ///
    /// A setting without an entry fails the test.
    private static let wrong: [Setting: [String]] = {
        let notPositive = ["0", "-1", "1.5", "many", "[1]", "99999999999999999999"]
        let noDuration = ["0s", "-1s", "5 minutes", "5", "101y", "99999999d", "[1s]"]
        let noChoice = ["Sometimes", "''", "[a]"]
        let noPath = ["''", "\"a\\0b\"", "{a: b}"]
        let noAddress = [
            "0.0.0.0:99999", "localhost", ":80", "'127.0.0.1:'", "'a b:1'", "\"h\\0:1\"", "::1:80", "none:x",
            String(repeating: "h", count: 254) + ":1",
        ]
        return [
            .brokers: ["[localhost]", "['a:0']", "['a:1', 'b:99999']", "\"a:1,b\"", "{a: b}", "[[a]]"],
            .prefix: [
                "../x", "\"a\\0b\"", "'a b'", "a/b", "ä", "''", String(repeating: "p", count: 250), "[a]",
            ],
            .data: noPath,
            .definitions: ["{a: b}", "[\"a\\0b\"]", "[[a]]", "['']"],
            .vocabularies: noPath,
            .logLevel: noChoice,
            .logFormat: noChoice,
            .monitoringListen: noAddress + ["[127.0.0.1]"],
            .monitoringHosts: ["['a:80']", "['a b']", "['']", "[\"a\\0b\"]", "[[a]]", "{a: b}"],
            .consoleListen: noAddress + ["[127.0.0.1]"],
            .consoleTraceUrl: ["http://host/none", "ftp://host/{trace}", "http://me:pw@host/{trace}"],
            .consoleGateway: [
                "http://gateway.example:8080", "https://u:p@h", "ftp://h", "gateway:8080", "https://h?a=b", "[a]",
            ],
            .consoleGatewayToken: ["secret", "'env:'", "'env:A B'", "{env: [a]}", "{key: a}", "['env:A']"],
            // Without keys only this machine is served.
            .gatewayListen: noAddress + ["[127.0.0.1]", "0.0.0.0:8080"],
            .gatewayPublicURL: ["gateway:8080", "ftp://a", "http://", "http://u:p@h", "http://h?a=b", "[a]"],
            // With keys it must be set whose tokens are accepted.
            .gatewayKeys: [
                "''", "http://issuer.example/jwks", "https://u:p@h/jwks", "ftp://h/jwks", "[a]", "keys.json",
            ],
            .gatewayIssuer: ["''", "[a]", "{a: b}", "\"a\\0b\""],
            .gatewayAudience: ["['']", "[[a]]", "{a: b}"],
            .gatewayClockSkew: noDuration + ["999ms"],
            .gatewayUserClaim: ["''", "[a]", "{a: b}"],
            .gatewayAuthenticatedClaim: ["''", "[a]", "{a: b}"],
            .gatewayAuthorizationClaim: ["''", "[a]", "{a: b}"],
            .gatewayAgents: ["['']", "[[a]]", "{a: b}"],
            .gatewayOrigins: ["['*']", "[app.example]", "['https://u:p@h']", "{a: b}"],
            .gatewayConnections: notPositive + ["1000001"],
            .gatewayBodySize: notPositive + ["769"],
            .gatewayUserRate: notPositive,
            .gatewayUserConcurrency: notPositive,
            .gatewayClientRate: notPositive,
            .gatewayClientConcurrency: notPositive,
            // Without a secret nothing is posted.
            .gatewayWebhookURL: [
                "http://receiver.example/intents", "https://u:p@h", "ftp://h", "receiver:80", "[a]",
                "https://receiver.example/intents",
            ],
            .gatewayWebhookSecrets: [
                "[whsec_secret]", "['env:']", "['env:A B']", "[{env: [a]}]", "[{key: a}]", "['env:A']",
            ],
            .gatewayWebhookEvents: ["[intent.requested]", "['']", "{a: b}", "[prompt.issued]"],
            .gatewayWebhookTimeout: noDuration + ["99ms"],
            .gatewayWebhookRetryFor: noDuration + ["999ms"],
            .tracingSample: ["1.5", "-0.1", "nan", "half"],
            .tracingEndpoint: [
                "collector:4318", "ftp://a", "http://", "'a b'", "http://u:p@h", "http://h?a=b", "http://h#f",
            ],
            .topicsPartitions: notPositive + ["10001"],
            .topicsReplicationFactor: notPositive + ["101"],
            .topicsMinInsyncReplicas: notPositive + ["101"],
            .topicsRetentionDays: notPositive + ["36501"],
            .requestsDedupeWindow: noDuration + ["999ms"],
            .requestsUnknownMembers: noChoice,
            .promptsMaxAttempts: notPositive + ["101"],
            .promptsTimeout: noDuration + ["999ms"],
            .promptsDirectory: noPath,
            .interactionsMaxTurns: notPositive + ["10001"],
            .interactionsMaxAge: noDuration + ["999ms"],
            .interactionsParkedMaxAge: noDuration + ["999ms"],
            .interactionsTimeZone: ["Mars/Olympus", "[a]"],
            .valuesWords: noChoice,
            .handlersConcurrency: notPositive + ["10001"],
            .handlersInProgressAfter: noDuration,
            .handlersReportEvery: noDuration,
            .handlersTimeout: noDuration,
            .handlersMaxCrashes: notPositive + ["101"],
            .appTimeout: noDuration + ["999ms"],
            .samples: noChoice + ["yes"],
            .messagesApp: noChoice,
            .batchMaxRecords: notPositive + ["100001"],
            .batchMaxDelay: noDuration,
            .stateMemory: notPositive + ["1048577"],
            .readingStalledAfter: noDuration + ["4s"],
            .readingOpenTransactionAfter: noDuration + ["999ms"],
            .delivery: noChoice,
            .formatsWrite: notPositive + ["99"],
            .ledger: [
                "mysql://x", "redis://h/1", "oracle", "://x", "postgresql://u:p@h/d", "postgresql://h/d?password=x",
                "''", "[sqlite]",
            ],
            .recordsRetentionDays: notPositive + ["1", "36501"],
            .auditKeyFile: noPath + ["/nowhere/key"],
            // Without a key there is nothing to sign anchors with.
            .auditAnchorEvery: noDuration + ["999ms", "1h"],
            .auditAnchors: noPath,
            .restrictedWhileLocked: ["{a: b}", "['']", "[\"a\\0b\"]", "[NobodyHandlesThisIntent]"],
            .brokerTransactionMaxTimeout: noDuration + ["999ms"],
            .brokerConnectionsMaxIdle: noDuration + ["999ms"],
            .brokerDeletions: noChoice,
        ]
    }()

    /// How each command ends with a configuration; none of them reaches a broker.
    private func statuses(_ text: String) async throws -> (check: Printed, up: Printed, work: Printed) {
        let file = try self.directory.write("logLevel: critical\n" + text + "\n", to: "c.yaml")
        return (
            await Printed.by(["config", "check", "--config", file]),
            await Printed.by(["up", "--config", file]),
            await Printed.by(["work", "resolve", "confirm", "handle", "record", "--config", file])
        )
    }

    @Test("Each setting is refused by all three with the same message", .timeLimit(.minutes(5)), arguments: Setting.all)
    func allCommandsRefuseSettingAlike(setting: Setting) async throws {
        let values = try #require(Self.wrong[setting], "give \(setting.key) values that it must not have")
        for value in values {
            let text = setting == .logLevel ? "" : "logLevel: critical\n"
            let file = try self.directory.write(text + "\(setting.key): \(value)\n", to: "c.yaml")
            let check = await Printed.by(["config", "check", "--config", file])
            try #require([65, 66, 78].contains(check.status), "\(setting.key): \(value) is accepted by `config check`")
            #expect(check.errors.contains(setting.key) || check.errors.contains("/nowhere/key"), "\(check.errors)")
            for command in [["up"], ["work", "resolve", "confirm", "handle", "record"]] {
                let other = await Printed.by(command + ["--config", file])
                #expect(other.status == check.status, "\(command[0]), \(setting.key): \(value)")
                #expect(other.errors == check.errors)
            }
        }
    }

    @Test(
        "Settings that contradict each other are refused by all three, too",
        .timeLimit(.minutes(2)),
        arguments: [
            (
                "topics.replicationFactor: 1\ntopics.minInsyncReplicas: 2",
                "c.yaml:3: topics.minInsyncReplicas is 2, but"
            ),
            (
                "records.retentionDays: 40\ntopics.retentionDays: 60",
                "c.yaml:2: records.retentionDays is 40, but must be"
            ),
            ("audit.anchorEvery: 1h", "c.yaml:2: audit.anchorEvery is set, but audit.keyFile names no key"),
            ("ledger: mysql://x", "c.yaml:2: ledger names mysql://, but this program supports"),
        ]
    )
    func allCommandsRefuseCombinationsAlike(text: String, message: String) async throws {
        let (check, up, work) = try await self.statuses(text)
        #expect(check.status == 78)
        #expect(check.errors.contains(message), "\(check.errors)")
        #expect(up.status == 78 && up.errors == check.errors)
        #expect(work.status == 78 && work.errors == check.errors)
    }

    @Test("Valid settings are accepted, and then `work` finds no broker")
    func acceptsValidValuesWithoutBroker() async throws {
        let file = try self.directory.write(
            """
            logLevel: critical
            data: \(self.directory.path)
            prefix: "a.B-c_9"
            monitoring.listen: "[::1]:0"
            console.listen: none
            brokers: []
            tracing.endpoint: https://collector.example/otlp
            """,
            to: "c.yaml"
        )
        #expect(await RootCommand.run(["config", "check", "--config", file]) == 0)
        #expect(await RootCommand.run(["work", "resolve", "--config", file]) == 69)
    }

    @Test("The environment and the command line follow the same rules")
    func sameBoundsForEveryOrigin() async throws {
        let failure = #expect(throws: OperationError.self) {
            try ConfigurationReader.read(
                file: try self.directory.write("", to: "c.yaml"),
                environment: ["INTENTD_PREFIX": "../x", "INTENTD_CONSOLE_LISTEN": "user:pw@host"],
                options: []
            )
        }
        #expect(failure?.message.contains("environment INTENTD_PREFIX: must be 1 to 233 letters") == true)
        #expect(failure?.message.contains("INTENTD_CONSOLE_LISTEN: must be HOST:PORT") == true)
        #expect(failure?.message.contains("pw") == false)
        for option in ["--prefix", "--data", "--definitions"] {
            let printed = await Printed.by(["config", "check", option, option == "--prefix" ? "../x" : ""])
            #expect(printed.status == 64)
            #expect(printed.errors.contains("\(option) must be "), "\(printed.errors)")
        }
    }
}
