import ArgumentParser
import Foundation
import IntentKit
import IntentLab
import IntentScenarios
import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("intentd test with the project's own scenarios")
struct DomainScenariosCommandTests {
    private static let scenarios = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Scenarios").path

    @Test("The stores hold demo data for the scenarios' users, and the setting decides which app sends messages")
    func testSeedsDemoDataForScenarios() async throws {
        let directory = try TemporaryDirectory()
        let configuration = try directory.write("samples: true\nmessages:\n  app: Hairdressers\n", to: "intentd.yaml")
        let report = directory.path + "/report.json"
        let file = Self.scenarios + "/messages/hairdressers/hairdressers.jsonl"
        let command = try TestCommand.parse(["--config", configuration, "--json", report, file])
        try await HandlerSources.$current.withValue(.intentd) { try await command.run() }
        let json = try JSONValue(parsing: try Data(contentsOf: URL(filePath: report)))
        #expect(json["matched"] == 4, "\(json)")
    }

    @Test("--concurrency and --timeout decide how many scenarios run at once and how long each may take")
    func testTakesConcurrencyAndTimeout() throws {
        let said = try TestCommand.parse(["--concurrency", "7", "--timeout", "9", "x.jsonl"]).playing("run")
        #expect(said.runID == "run")
        #expect(said.concurrency == 7)
        #expect(said.timeout == .seconds(9))
        #expect(try TestCommand.parse(["x.jsonl"]).playing("run").concurrency == 512)
    }

    @Test("R15: the setting chooses which app sends messages; the other intents stay with UnicornChat")
    func settingChoosesMessagingApp() throws {
        var configuration = Configuration()
        configuration.values[Setting.samples.key] = .init(value: .text("true"), origin: .byDefault)
        let usual = try IntentSet(configuration, sources: .intentd)
        #expect(usual.registry["INSendMessageIntent"]?.extensionName == "UnicornChat")
        configuration.values[Setting.messagesApp.key] = .init(value: .text("Hairdressers"), origin: .byDefault)
        let other = try IntentSet(configuration, sources: .intentd)
        #expect(other.registry["INSendMessageIntent"]?.extensionName == "Hairdressers")
        #expect(other.registry["INSearchForMessagesIntent"]?.extensionName == "UnicornChat")
        #expect(usual.registry.intentNames == other.registry.intentNames)
    }
}
