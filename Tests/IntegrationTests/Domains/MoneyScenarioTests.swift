import Foundation
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import IntentScenarios
import SampleApps
import Testing

/// The project's own scenarios, one folder per domain: played as `intentd test` plays them.
@Suite struct MoneyScenarioTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Scenarios")

    private static let all = [MessagesExtension.make(), CallsExtension.make(), PaymentsExtension.make()]

    @Test(
        "Every scenario of a domain ends as expected (behaviours 10, 17, 18, 19 and 20)",
        arguments: ["messages", "calls", "payments"]
    )
    func domainScenariosMatch(name: String) async throws {
        try await Self.play("\(name)", extensions: Self.all)
    }

    @Test("The Hairdressers' scenarios end as expected in a registry of their own (behaviours 27 and 33)")
    func hairdressersScenariosMatch() async throws {
        try await Self.play("messages/hairdressers", extensions: [HairdressersExtension.make()])
    }

    /// Plays all files of a folder over stores with demo data for each user.
    private static func play(_ folder: String, extensions: [IntentExtension]) async throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.appending(path: folder).path)
        let files = names.filter { $0.hasSuffix(".jsonl") }.sorted()
        try #require(!files.isEmpty)
        for name in files {
            let path = Self.folder.appending(path: folder).appending(path: name)
            let file = ScenarioFile(parsing: try Data(contentsOf: path))
            #expect(file.problems == [], "\(name)")
            let scenarios = file.entries.map(\.scenario)
            let results = try await Pipeline.run(on: .memory, .init(extensions: extensions, partitions: 2)) {
                pipeline in
                let users = Set(scenarios.map(\.userID.text))
                try await pipeline.ledger.addDemoData(of: extensions, for: users, run: "test")
                var player = ScenarioPlayer.Configuration(runID: "test")
                player.idleTimeout = .seconds(30)
                return await ScenarioPlayer(pipeline.client, player).play(scenarios)
            }
            #expect(results.count == scenarios.count)
            for result in results {
                #expect(result.outcome == .matched, "\(folder)/\(name): \(result.scenario.name)")
            }
        }
    }
}
