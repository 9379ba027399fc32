import EmbeddedBroker
import IntentKit
import IntentLab
import IntentLedger
import IntentRuntime
import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("R52: the configuration")
struct ConfigurationTests {
    private let directory: TemporaryDirectory

    init() throws { self.directory = try TemporaryDirectory() }

    private func read(
        _ text: String,
        environment: [String: String] = [:],
        options: [(setting: Setting, option: String, value: SettingValue)] = []
    ) throws -> Configuration {
        let file = try self.directory.write(text, to: "c.yaml")
        return try ConfigurationReader.read(file: file, environment: environment, options: options)
    }

    /// What is wrong with a file, its path left out.
    private func problems(_ text: String, environment: [String: String] = [:]) throws -> [String] {
        do {
            _ = try self.read(text, environment: environment)
            return []
        } catch let failure as OperationError {
            #expect(failure.code == .configuration)
            return failure.message.split(separator: "\n")
                .map { String($0).replacing(self.directory.file("c.yaml") + ":", with: "") }
        }
    }

    @Test("R57a: workers write the deployment's format, unless another one is set")
    func writesDeploymentsFormat() throws {
        let deployment = Deployment(id: "d", prefix: "intents", partitions: 1, format: 2)
        #expect(try self.read("").runtimeSettings(in: deployment).formats.writes == 2)
        #expect(try self.read("formats: {write: 1}").runtimeSettings(in: deployment).formats.writes == 1)
    }

    @Test("Without any source every setting has its default")
    func everythingHasADefault() throws {
        let configuration = try self.read("")
        #expect(configuration.entry(.promptsTimeout) == .init(value: .duration(.seconds(300)), origin: .byDefault))
        #expect(configuration.prefix == "intents")
        #expect(configuration.runtimeSettings == .init())
        #expect(configuration.topicPlan == .init())
        #expect(configuration.delivery == .exactlyOnce)
        #expect(configuration.hasLedger)
    }

    @Test("The embedded broker gets its settings")
    func readsEmbeddedBrokerSettings() throws {
        let text = "broker: {transactionMaxTimeout: 90s, connectionsMaxIdle: 7s, deletions: refused}"
        var configuration = EmbeddedBroker.Configuration(path: "x")
        try self.read(text).apply(to: &configuration)
        #expect(configuration.maxTransactionTimeout == .seconds(90))
        #expect(configuration.maxConnectionIdle == .seconds(7))
        #expect(!configuration.allowsDeletion)
        let usual = EmbeddedBroker.Configuration(path: "x")
        try self.read("").apply(to: &configuration)
        #expect(configuration.maxTransactionTimeout == usual.maxTransactionTimeout)
        #expect(configuration.maxConnectionIdle == usual.maxConnectionIdle)
        #expect(configuration.allowsDeletion)
    }

    @Test("The example file with every setting holds the defaults, and serves the sample apps")
    func exampleFileHoldsDefaults() throws {
        // The file that is in the repository, wherever the tests are run.
        let path = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let configuration = try ConfigurationReader.read(
            file: "/\(path)/config/intentd.yaml",
            environment: [:],
            options: []
        )
        for setting in Setting.all where setting != .samples {
            #expect(configuration.entry(setting)?.value == setting.defaultValue, "\(setting.key)")
        }
        #expect(configuration.servesSamples)
    }

    @Test("The command line overrides the environment, the file and the defaults, each with its origin")
    func commandLineOverridesEnvironmentFileAndDefaults() throws {
        let text = "prefix: a\nprompts:\n  timeout: 1m\n  maxAttempts: 4\n"
        let file = try self.read(text)
        #expect(file.text(.prefix) == "a")
        #expect(file.entry(.promptsTimeout)?.origin == .file(self.directory.file("c.yaml"), line: 3))
        let environment = ["INTENTD_PROMPTS_TIMEOUT": "2m", "INTENTD_PREFIX": "b", "HOME": "/"]
        let over = try self.read(
            text,
            environment: environment,
            options: [(setting: .prefix, option: "--prefix", value: .text("c"))]
        )
        #expect(over.entry(.prefix) == .init(value: .text("c"), origin: .commandLine("--prefix")))
        #expect(over.duration(.promptsTimeout) == .seconds(120))
        #expect(over.entry(.promptsTimeout)?.origin == .environment("INTENTD_PROMPTS_TIMEOUT"))
        #expect(over.integer(.promptsMaxAttempts) == 4)
    }

    @Test(
        "Unknown keys and malformed values are reported with their line",
        arguments: [
            (
                "kafka:\n  sasl.mechanism: SCRAM-SHA-51\n",
                "2: kafka.sasl.mechanism must be one of GSSAPI, PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, OAUTHBEARER"
            ),
            ("prefix: a\npromts:\n  timeout: 1m\n", "2: unknown setting promts; did you mean prompts?"),
            ("prompts:\n  timeot: 1m\n", "2: unknown setting prompts.timeot; did you mean prompts.timeout?"),
            ("quite: different\n", "1: unknown setting quite"), ("prompts: 5m\n", "1: prompts must be a mapping"),
            ("prompts:\n  timeout: 5 minutes\n", "2: prompts.timeout must be a duration"),
            ("prompts:\n  timeout: 0s\n", "2: prompts.timeout must be a duration"),
            (
                "batch:\n  maxRecords: many\n",
                "2: batch.maxRecords must be a whole number from 1 to 100000, not \"many\""
            ),
            ("tracing:\n  sample: 1.5\n", "2: tracing.sample must be a number from 0 to 1, not \"1.5\""),
            ("tracing:\n  sample: nan\n", "2: tracing.sample must be a number from 0 to 1, not \"nan\""),
            (
                "console:\n  traceUrl: http://me:secret@traces/{trace}\n",
                "2: console.traceUrl must be an address of http or https with {trace} behind its host, without password"
            ),
            ("delivery: twice\n", "1: delivery must be exactly-once or at-least-once, not \"twice\""),
            (
                "prefix: [a]\n",
                "1: prefix must be 1 to 233 letters, digits, dots, underscores and hyphens, because topic names begin with it, not a list"
            ),
            ("- a\n", "1: a configuration must be a mapping"),
            (
                "intents:\n  A:\n    confirmation: maybe\n",
                "3: intents.A.confirmation must be always or never or byHandler"
            ),
            ("intents:\n  A:\n    confirm: never\n", "3: unknown setting intents.A.confirm"),
            ("kafka:\n  acks: [1]\n", "2: kafka.acks must be a string, {env: NAME} or {file: PATH}"),
            (
                "kafka:\n  sasl.password: {env: NOPE}\n",
                "2: kafka.sasl.password comes from the environment variable NOPE"
            ),
            ("kafka:\n  auto.offset.reset: latest\n", "2: kafka.auto.offset.reset cannot be set: intentd sets"),
            ("kafka:\n  enable:\n    auto.offset.store: true\n", "3: kafka.enable.auto.offset.store cannot be set:"),
            ("kafka:\n  enable.auto.commit: true\n", "2: kafka.enable.auto.commit cannot be set: offsets are"),
            ("kafka:\n  isolation.level: read_uncommitted\n", "2: kafka.isolation.level cannot be set: only committed"),
            ("kafka:\n  group.protocol: consumer\n", "2: kafka.group.protocol cannot be set: a lane must get"),
            ("kafka:\n  group.id: mine\n", "2: kafka.group.id cannot be set: intentd sets the names"),
            ("kafka:\n  partition.assignment.strategy: roundrobin\n", "2: kafka.partition.assignment.strategy cannot"),
            (
                "kafka:\n  fetch.min.byts: 3\n",
                "2: kafka.fetch.min.byts is not a property of librdkafka; did you mean fetch.min.bytes?"
            ),
            ("kafka:\n  fetch.min.bytes: s3cret\n", "2: kafka.fetch.min.bytes does not accept this value"),
            ("prefix: a\nprefix: b\n", "1: duplicate keys in one mapping: prefix"),
            ("a: [\n", "2:1: this is not YAML"),
        ]
    )
    func reportsUnknownKeysAndMalformedValuesByLine(text: String, problem: String) throws {
        let problems = try self.problems(text)
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix(problem) == true, "\(problems)")
    }

    @Test(
        "A setting is accepted by its former key, with a warning; in the environment its current key takes precedence"
    )
    func acceptsFormerKeys() throws {
        for setting in Setting.all {
            guard let former = setting.formerKey, let variable = setting.formerEnvironmentName else { continue }
            let path = former.split(separator: ".")
            let file = try self.read("\(path[0]):\n  \(path[1]): 77s\n")
            #expect(file.duration(setting) == .seconds(77))
            let location = "\(self.directory.file("c.yaml")):2"
            #expect(file.warnings == ["\(location): \(former) is deprecated; use \(setting.key)"])
            let environment = try self.read("", environment: [variable: "78s"])
            #expect(environment.duration(setting) == .seconds(78))
            #expect(environment.warnings == ["\(variable) is deprecated; use \(setting.environmentName)"])
            let both = try self.read("", environment: [variable: "78s", setting.environmentName: "79s"])
            #expect(both.duration(setting) == .seconds(79))
            #expect(both.warnings.isEmpty)
        }
        let twice = "reading:\n  stalledAfter: 7s\n  standsAfter: 8s\n"
        let problem = "3: reading.standsAfter is the former name of reading.stalledAfter, which is set too: remove it"
        #expect(try self.problems(twice) == [problem])
    }

    @Test("All problems are reported at once")
    func reportsAllProblemsAtOnce() throws {
        let problems = try self.problems("a: 1\nb: 2\n", environment: ["INTENTD_DELIVERY": "x", "INTENTD_PREFX": "y"])
        #expect(problems.count == 4)
        #expect(problems.last == "environment INTENTD_PREFX: is not a setting; did you mean INTENTD_PREFIX?")
    }

    @Test("The source of a secret is a text or a mapping; something else is refused, and not shown")
    func sourceOfSecret() throws {
        for text in ["file:/run/token", "{file: /run/token}"] {
            let configuration = try self.read("console:\n  gatewayToken: \(text)\n")
            #expect(configuration.text(.consoleGatewayToken) == "file:/run/token", "\(text)")
        }
        for text in ["hunter2", "{token: hunter2}", "[hunter2]", "{file: [hunter2]}"] {
            let error = try #require(
                #expect(throws: OperationError.self) { try self.read("console:\n  gatewayToken: \(text)\n") }
            )
            #expect(error.message.contains("2: console.gatewayToken must be env:NAME or file:PATH"), "\(text)")
            #expect(!error.message.contains("hunter2"))
        }
    }

    @Test("Secrets are read from the environment or from files, and not printed")
    func secretsAreReadAndNotPrinted() throws {
        let file = try self.directory.write("from a file\n", to: "secret")
        let configuration = try self.read(
            """
            kafka:
              sasl.username: intentd
              sasl.password: {env: PASSWORD}
              ssl:
                key.password: {file: \(file)}
              ssl.keystore.password: literal
            """,
            environment: ["PASSWORD": "from the environment", "INTENTD_KAFKA_CLIENT_RACK": "a1"]
        )
        #expect(
            configuration.kafka.mapValues(\.value) == [
                "sasl.username": "intentd", "sasl.password": "from the environment", "ssl.key.password": "from a file",
                "ssl.keystore.password": "literal", "client.rack": "a1",
            ]
        )
        let shown = configuration.shownSettings.map { "\($0)" }.joined()
        for secret in ["from the environment", "from a file", "literal"] { #expect(!shown.contains(secret)) }
        #expect(shown.contains("(from environment PASSWORD)"))
    }

    @Test(
        "R31: the ledger's address has no password; one with a password is refused and not printed",
        arguments: [
            "postgresql://ann:hush@db/x", "postgresql://db/x?password=hush", "postgresql://db/x?%70assword=hush",
            "hush:1",
        ]
    )
    func refusesPasswordInLedgerAddress(wrong: String) throws {
        for address in ["postgresql://ann@db:5432/x?sslmode=verify-full", "postgresql:///?service=intentd"] {
            #expect(try self.read("ledger: \(address)").text(.ledger) == address)
        }
        let said = try self.problems("ledger: \(wrong)") + self.problems("", environment: ["INTENTD_LEDGER": wrong])
        #expect(said.count == 2)
        for problem in said {
            #expect(problem.contains("without password"))
            #expect(!problem.contains("hush"))
        }
    }

    @Test(
        "R31: an address of an unknown scheme is reported with its origin; a program's own ledger source serves its scheme"
    )
    func reportsUnknownLedgerScheme() async throws {
        let configuration = try self.read("ledger: other://db/x")
        let error = await #expect(throws: OperationError.self) { try await configuration.openLedger([]) }
        #expect(error?.code == .configuration)
        #expect(error?.message.contains("c.yaml:1") == true)
        let path = self.directory.file("own.sqlite")
        let source = LedgerSource(scheme: "other") { address, migrations in
            #expect(address == "other://db/x")
            return try await SQLiteLedger.open(at: path, migrations: migrations ?? [])
        }
        let ledger = try await HandlerSources.$current.withValue(HandlerSources(ledger: source)) {
            try await configuration.openLedger([])
        }
        #expect(ledger.place == path)
    }

    @Test("A named file that is missing, or is a directory, is refused as missing input")
    func refusesMissingFileOrDirectory() {
        for path in [self.directory.file("nope.yaml"), self.directory.path] {
            #expect(throws: OperationError.self) {
                try ConfigurationReader.read(file: path, environment: [:], options: [])
            }
        }
    }

    @Test("A missing file that librdkafka should read is reported with its line, but is no error")
    func missingKafkaFilesAreWarnings() throws {
        let configuration = try self.read("kafka:\n  client.id: x\n  ssl.ca.location: /nowhere/ca.pem\n")
        let warnings = ConfigCheckCommand.missingFiles(configuration)
        #expect(warnings.count == 1 && warnings[0].contains(":3: kafka.ssl.ca.location: "))
        #expect(ConfigCheckCommand.missingFiles(try self.read("kafka: {ssl.ca.location: probe}")).isEmpty)
    }
}
