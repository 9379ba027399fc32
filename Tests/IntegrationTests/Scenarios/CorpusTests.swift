import Foundation
import IntentDomains
import IntentEvents
import IntentKit
import IntentRuntime
import Testing

/// Every conversation of the corpus ends as the people in it ended it.
@Suite(.enabled(if: Corpus.isThere, "there is no corpus beside the package"))
struct CorpusTests {
    private static func play(on base: Pipeline.Base) async throws -> ScenarioReport {
        let file = try Corpus.scenarios()
        #expect(file.problems == [])
        let definitions = try Corpus.definitions()
        #expect(definitions.problems.isEmpty)
        let environment = ProcessInfo.processInfo.environment
        let declared = IntentExtension("declared") { definitions.definitions.map { $0.makeRegistration() } }
        var configuration = Pipeline.Configuration(extensions: [declared])
        configuration.isRecorded = base == .broker
        configuration.lanes = environment["INTENTD_TEST_LANES"].flatMap(Int.init) ?? 1
        let concurrency = environment["INTENTD_TEST_CONCURRENCY"].flatMap(Int.init)
        return try await Pipeline.run(on: base, configuration) { pipeline in
            var player = ScenarioPlayer.Configuration()
            // A machine that runs the whole suite at once is slow; a scenario that hangs ends all the same.
            player.timeout = .seconds(300)
            if let concurrency { player.concurrency = concurrency }
            let began = ContinuousClock.now
            let results = await ScenarioPlayer(pipeline.client, player).play(file.entries.map(\.scenario))
            return ScenarioReport(results, duration: .now - began)
        }
    }

    @Test func everyConversationEndsAsItDid() async throws {
        let report = try await Self.play(on: .broker)
        print("corpus: \(report.counts) in \(report.duration)")
        #expect(report.isMatched, "\(report.summary.suffix(4_000))")
        #expect(report.results.count == 5_307)
    }
}
