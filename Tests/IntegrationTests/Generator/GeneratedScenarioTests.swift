import Foundation
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import IntentScenarios
import Testing

/// Generated conversations end as the model says, whatever users do in them.
///
/// A failing scenario is printed with its seed; `INTENTD_TEST_SEED` runs that seed alone.
@Suite struct GeneratedScenarioTests {
    private static let seeds: [UInt64] =
        ProcessInfo.processInfo.environment["INTENTD_TEST_SEED"].flatMap { UInt64($0) }.map { [$0] } ?? [1, 2, 3, 4]

    /// Many seeds in memory.
    @Test(arguments: Self.seeds)
    func scenariosEndAsModelPredicts(_ seed: UInt64) async throws {
        try await Self.play(500, seed: seed, on: .memory)
    }

    /// Two thousand on the embedded broker, with transactions.
    @Test(arguments: Self.seeds.prefix(1))
    func scenariosEndAsModelPredictsOnBroker(_ seed: UInt64) async throws {
        try await Self.play(2_000, seed: seed &+ 100, on: .broker)
    }

    /// The same seed makes the same scenarios.
    @Test func sameSeedGivesSameScenarios() {
        let first = ScenarioGenerator(seed: 7, catalogue: Catalogue(seed: 7))
        let second = ScenarioGenerator(seed: 7, catalogue: Catalogue(seed: 7))
        for number in 0..<50 {
            #expect(first.makeScenario(number).scenario == second.makeScenario(number).scenario)
        }
    }

    private static func play(_ count: Int, seed: UInt64, on base: Pipeline.Base) async throws {
        let catalogue = Catalogue(seed: seed)
        let generator = ScenarioGenerator(seed: seed, catalogue: catalogue)
        let generated = (0..<count).map(generator.makeScenario)
        var configuration = Pipeline.Configuration(extensions: try catalogue.makeExtensions())
        // Whether a handler that waits for its turn reports that it takes longer would depend on the machine.
        configuration.settings.inProgressAfter = .seconds(60)
        // Questions of later stages and steps need it.
        configuration.settings.formats = RecordFormats(reads: 1...2, writes: 2)
        // In memory, all state that no turn needs is evicted after every batch.
        if base == .memory {
            configuration.settings.stateMemory = 0
            configuration.settings.stateRetention = .zero
        }
        try await Pipeline.run(on: base, configuration) { pipeline in
            let began = ContinuousClock.now
            var player = ScenarioPlayer.Configuration(runID: ScenarioGenerator.runID(seed: seed))
            // A machine that runs the whole suite at once is slow; a conversation that hangs is reported all the same.
            player.timeout = .seconds(300)
            player.idleTimeout = .seconds(60)
            let results = await ScenarioPlayer(pipeline.client, player).play(generated.map(\.scenario))
            print("\(count) generated, seed \(seed), on \(base): \(ContinuousClock.now - began)")
            try await pipeline.passThrough()
            let audit = try await TopicAudit(pipeline)
            let deeds = try await pipeline.deeds()
            var failures = 0
            for (generated, result) in zip(generated, results) {
                var differences = generated.differences(from: result) + audit.differences(from: generated)
                let count = deeds[result.interactionID.text] ?? 0
                let expected = generated.expected.hasEffect ? 1 : 0
                if count != expected { differences.append("effects: expected \(expected), came \(count)") }
                guard !differences.isEmpty else { continue }
                failures += 1
                guard failures <= 10 else { continue }
                Issue.record("\(differences.joined(separator: "\n"))\n\(generated.description)")
            }
            #expect(failures == 0, "\(failures) of \(generated.count) scenarios did not end as the model says")
        }
    }
}
