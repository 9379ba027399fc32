import Foundation
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import IntentScenarios
import SampleApps
import Testing

/// The scenario files of workouts and rides, played against the domains' real stores.
@Suite struct WorkoutAndRideScenarioTests {
    private static let directory = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Scenarios")

    @Test("Every scenario of a domain ends as expected (behaviours 14, 92)", arguments: ["workouts", "rides"])
    func everyScenarioMatches(folder: String) async throws {
        let domain = folder == "rides" ? RidesExtension.make() : WorkoutsExtension.make()
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.directory.appending(path: folder).path)
            .filter { $0.hasSuffix(".jsonl") }
        #expect(!files.isEmpty)
        for file in files.sorted() {
            let scenarios = ScenarioFile(
                parsing: try Data(contentsOf: Self.directory.appending(path: "\(folder)/\(file)"))
            )
            #expect(scenarios.problems == [])
            let report = try await Pipeline.run(on: .memory, .init(extensions: [domain])) { pipeline in
                let began = ContinuousClock.now
                var configuration = ScenarioPlayer.Configuration(runID: file)
                configuration.idleTimeout = .seconds(30)
                let player = ScenarioPlayer(pipeline.client, configuration)
                let results = await player.play(scenarios.entries.map(\.scenario))
                return ScenarioReport(results, duration: .now - began)
            }
            #expect(report.isMatched, "\(file): \(report.summary)")
        }
    }
}
