import DeclaredIntents
import Foundation
import IntentKit
import IntentLab
import SampleApps
import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("R50: declared intents in files")
struct DeclaredIntentsTests {
    private let directory: TemporaryDirectory

    init() throws { self.directory = try TemporaryDirectory() }

    private func declared(_ files: [String: String]) throws -> DefinitionFiles {
        for (name, text) in files { _ = try self.directory.write(text, to: name) }
        return try DefinitionFiles(Configuration(), directory: self.directory.path)
    }

    private func problems(_ files: [String: String]) throws -> [String] {
        try self.declared(files).problems.map { $0.replacing(self.directory.path + "/", with: "") }
    }

    @Test("Problems have the line of the invalid member, in JSON and in YAML")
    func reportsProblemsWithLine() throws {
        let json = """
            {"intents": [
              {"name": "A", "parameters": [
                {"name": "p", "type": "integer",
                 "default": "x"}
              ]}
            ]}
            """
        let yaml = """
            # a comment
            - name: B
              parameters:
                - name: p
                  type: integer
                  minimum: 3
                  default: 1
            """
        let problems = try self.problems(["a.json": json, "b.yml": yaml, "c.txt": "not read"])
        #expect(problems.count == 2)
        #expect(problems.first?.hasPrefix("a.json:4: intents[0].parameters[0].default: ") == true, "\(problems)")
        #expect(problems.last?.hasPrefix("b.yml:7: [0].parameters[0].default: ") == true, "\(problems)")
    }

    @Test("Definition files are read in the order of their names; other files of the directory are ignored")
    func readsDefinitionFilesInOrderOfNames() throws {
        let declared = try self.declared([
            "b.yaml": "name: B", "a.json": #"{"name":"A"}"#, "c.txt": "name: C", ".d.yml": "",
        ])
        #expect(declared.files == ["a.json", "b.yaml"].map { "\(self.directory.path)/\($0)" })
        #expect(declared.definitions.map { $0.definition.name } == ["A", "B"])
    }

    @Test("Syntax errors have a line, too")
    func syntaxErrorsHaveLine() throws {
        let problems = try self.problems(["a.json": "{\"name\":\n \"A\", }", "b.yaml": "name: A\n  title: B\n"])
        #expect(problems.first?.hasPrefix("a.json:2: this is not JSON") == true, "\(problems)")
        #expect(problems.last?.hasPrefix("b.yaml:2:") == true, "\(problems)")
    }

    @Test("Two files that declare the same intent are both named")
    func reportsIntentDeclaredTwice() throws {
        let problems = try self.problems(["a.json": #"{"name":"A"}"#, "b.json": #"[{"name":"B"},{"name":"A"}]"#])
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("b.json:1: A is declared twice, first at ") == true, "\(problems)")
    }

    @Test("YAML's scalars are read as JSON's, not as older YAML did")
    func yamlScalarsFollowJSON() throws {
        let file = try YAMLFile(
            "x",
            text: "[no, 13:30, 2026-11-21, 1_000, 012, 12, 1.5, true, ~, 'true', on, 0x1F]",
            invalid: .badData
        )
        #expect(
            file.json == [
                "no", "13:30", "2026-11-21", "1_000", "012", 12, 1.5, true, .null, "true", "on", "0x1F",
            ]
        )
    }

    @Test("Confirmation policies apply, and never relax financial intents")
    func confirmationPoliciesNeverRelaxFinancialIntents() throws {
        let path = try self.directory.write(
            #"[{"name":"PayLemonade","financial":true},{"name":"OrderLemonade","confirmation":"never"}]"#,
            to: "d.json"
        )
        var configuration = Configuration()
        configuration.values[Setting.definitions.key] = .init(
            value: .list([path]),
            origin: .commandLine("--definitions")
        )
        configuration.confirmations["OrderLemonade"] = .init(value: .always, origin: .file("c.yaml", line: 3))
        let intents = try IntentSet(configuration, sources: HandlerSources())
        let registrations = intents.extensions.flatMap(\.registrations)
        #expect(registrations.first { $0.intentName == "OrderLemonade" }?.confirmation == .always)
        configuration.confirmations["PayLemonade"] = .init(value: .never, origin: .file("c.yaml", line: 4))
        configuration.confirmations["OrderLemonad"] = .init(value: .never, origin: .file("c.yaml", line: 5))
        let failure = try #require(throws: OperationError.self) {
            try IntentSet(configuration, sources: HandlerSources())
        }
        #expect(failure.code == .configuration)
        #expect(failure.message.contains("c.yaml:4: intents.PayLemonade.confirmation must be always"))
        #expect(
            failure.message.contains(
                "c.yaml:5: intents.OrderLemonad: unknown intent; did you mean OrderLemonade?"
            )
        )
    }

    @Test("R65: a program serves its own intents, and the sample apps beside them only where configured")
    func servesSamplesOnlyWhereConfigured() throws {
        let messages = MessagesExtension.make()
        var sources = HandlerSources.intentd
        sources.own = [IntentExtension("Mine") { messages.registrations }]
        let own = try IntentSet(Configuration(), sources: sources)
        #expect(own.registry["INSendMessageIntent"]?.extensionName == "Mine")
        #expect(own.registry["INStartCallIntent"] == nil)
        #expect(own.warnings.isEmpty)

        var configuration = Configuration()
        configuration.values[Setting.samples.key] = .init(value: .text("true"), origin: .byDefault)
        let both = try IntentSet(configuration, sources: sources)
        #expect(both.registry["INSendMessageIntent"]?.extensionName == "Mine")
        #expect(both.registry["INStartCallIntent"]?.extensionName == "UnicornTalk")
        #expect(both.registry["INRequestRideIntent"]?.presenter != nil)

        let nothing = try IntentSet(Configuration(), sources: HandlerSources(), directory: self.directory.path)
        #expect(nothing.registry.intentNames.isEmpty)
        #expect(nothing.warnings.count == 1)
        #expect(nothing.warnings.first?.hasPrefix("no intents are served") == true)

        // A program of one's own has no sample apps, and says so.
        let alone = try IntentSet(configuration, sources: HandlerSources(own: sources.own))
        #expect(alone.registry["INStartCallIntent"] == nil)
        #expect(
            alone.warnings == ["default: samples is true, but this program has no sample apps; intentd itself has them"]
        )
    }

    @Test("Demo data of apps that are not served is refused", .timeLimit(.minutes(1)))
    func refusesDemoUserWithoutSamples() async throws {
        let configuration = try self.directory.write("samples: false\n", to: "c.yaml")
        let options = ["--config", configuration, "--data", self.directory.file("var"), "--log-level", "critical"]
        #expect(await RootCommand.run(["up", "--demo-user", "me"] + options) == ExitStatus.usage.rawValue)
    }

    @Test("R51, R52: a missing secret keeps workers from starting, but not commands that only read")
    func missingSecretStopsWorkersOnly() async throws {
        let yaml = """
            name: OrderLemonade
            handler:
              http:
                url: https://lemonade.example/orders
                headers:
                  Authorization: {env: INTENTD_TEST_NOT_SET}
            """
        let path = try self.directory.write(yaml, to: "d.yaml")
        var configuration = Configuration()
        configuration.values[Setting.definitions.key] = .init(value: .list([path]), origin: .byDefault)
        let intents = try IntentSet(configuration, sources: HandlerSources())
        #expect(intents.registry["OrderLemonade"]?.registration.handlerName == "http")
        let failure = try #require(throws: OperationError.self) { try intents.checkSecrets() }
        #expect(failure.code == .configuration)
        #expect(
            failure.message
                == "\(path):6: OrderLemonade: header Authorization comes from the environment variable "
                + "INTENTD_TEST_NOT_SET, which is not set"
        )
        #expect(await RootCommand.run(["config", "check", "--definitions", path]) == 78)
        #expect(await RootCommand.run(["up", "--definitions", path, "--data", self.directory.path]) == 78)
    }

    @Test("A certificate that cannot be used keeps workers from starting, with file, line and remedy")
    func unusableCertificateStopsWorkers() async throws {
        let yaml = """
            - name: OrderLemonade
              handler:
                http:
                  url: https://lemonade.example/orders
                  tls:
                    caFile: certificates/ca.pem
            """
        let path = try self.directory.write(yaml, to: "d.yaml")
        var configuration = Configuration()
        configuration.values[Setting.definitions.key] = .init(value: .list([path]), origin: .byDefault)
        let intents = try IntentSet(configuration, sources: HandlerSources())
        let failure = try #require(throws: OperationError.self) { try intents.checkSecrets() }
        #expect(
            failure.message
                == "\(path):6: OrderLemonade: tls: caFile is \(self.directory.path)/certificates/ca.pem, which cannot be "
                + "read: name a file in PEM, relative to the definition's file"
        )
        #expect(await RootCommand.run(["config", "check", "--definitions", path]) == 78)
    }

    @Test("Credentials that go over the network unencrypted are warned of, with file and line")
    func warnsOfUnencryptedCredentials() throws {
        func warnings(_ url: String, _ headers: String) throws -> [String] {
            let yaml = "name: OrderLemonade\nhandler: {http: {url: \"\(url)\", headers: {\(headers)}}}\n"
            let path = try self.directory.write(yaml, to: "d.yaml")
            var configuration = Configuration()
            configuration.values[Setting.definitions.key] = .init(value: .list([path]), origin: .byDefault)
            return try IntentSet(configuration, sources: HandlerSources()).warnings
                .map { $0.replacing(self.directory.path + "/", with: "") }
        }
        let unencrypted = try warnings("http://lemonade.example/a?b=c", "Authorization: Bearer x, Accept: text/plain")
        #expect(
            unencrypted == [
                "d.yaml:1: OrderLemonade: http://lemonade.example/a is not encrypted, but the header Authorization carries "
                    + "credentials: anybody on the network path can read them. Use https://"
            ]
        )
        let secrets = try warnings("http://lemonade.example", "X-Mine: {env: PATH}, cookie: a")
        #expect(secrets.count == 1)
        #expect(secrets.first?.contains("the headers X-Mine, cookie carry credentials") == true)
        let encrypted = try warnings("https://lemonade.example", "Authorization: Bearer x")
        #expect(encrypted.isEmpty)
        let harmless = try warnings("http://lemonade.example", "Accept: text/plain")
        #expect(harmless.isEmpty)
    }

    @Test("A pattern that is not supported is an error with file, line and reason")
    func unsupportedPatternIsErrorWithLine() throws {
        let yaml = """
            - name: A
              parameters:
                - name: p
                  type: string
                  pattern: "a(?=b)"
            """
        let problems = try self.problems(["a.yaml": yaml])
        #expect(
            problems == [
                "a.yaml:5: [0].parameters[0].pattern: a(?=b) is not a regular expression that can be used: at character 2: "
                    + "( (? begins an unsupported group: look-around, name, flags or atomic group"
            ]
        )
    }

    @Test("A scratch directory has a name of its own each time and is its user's alone")
    func scratchDirectoryIsUniqueAndPrivate() throws {
        let first = try ScratchDirectory(prefix: "intentd-tests")
        let second = try ScratchDirectory(prefix: "intentd-tests")
        defer {
            first.remove()
            second.remove()
        }
        #expect(first.path != second.path)
        let attributes = try FileManager.default.attributesOfItem(atPath: first.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
        #expect(!first.path.contains("\(ProcessInfo.processInfo.processIdentifier)"))
    }
}
