import DeclaredIntents
import Foundation
import IntentAudit
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import IntentScenarios
import Testing

/// Every conversation of the corpus ends as the people in it ended it.
@Suite(.enabled(if: Corpus.isThere, "there is no corpus beside the package"))
struct CorpusTests {
    /// The results of the corpus, and of proving it afterwards.
    private struct Outcome {
        var report: ScenarioReport
        var replay: ReplayReport
        var replayDuration: Duration
        var shadow: ShadowReport
        var audit: AuditReport
    }

    private static func play(on base: Pipeline.Base) async throws -> Outcome {
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
            // A machine that runs the whole suite at once is slow; a conversation that hangs is reported all the same.
            player.timeout = .seconds(300)
            player.idleTimeout = .seconds(30)
            if let concurrency { player.concurrency = concurrency }
            let began = ContinuousClock.now
            let results = await ScenarioPlayer(pipeline.client, player).play(file.entries.map(\.scenario))
            let report = ScenarioReport(results, duration: .now - began)
            return try await Self.prove(pipeline, declared, report)
        }
    }

    /// Replays, plays and verifies the current content of the topics.
    private static func prove(
        _ pipeline: Pipeline,
        _ declared: IntentExtension,
        _ report: ScenarioReport
    ) async throws -> Outcome {
        let environment = StageEnvironment(
            stage: .resolve,
            registry: try IntentRegistry([declared]),
            deployment: pipeline.deployment.id,
            prefix: pipeline.deployment.prefix,
            partitions: pipeline.deployment.partitions,
            worker: "replay"
        )
        let began = ContinuousClock.now
        let replay = try await Replayer(
            log: pipeline.log,
            environment: environment,
            configuration: .init(parallelism: ProcessInfo.processInfo.activeProcessorCount)
        )
        .run()
        let replayDuration = ContinuousClock.now - began
        // A part of the users represents all, to keep the suite short.
        var selection = ReplaySelection()
        selection.partition = 0
        let shadow = try await ShadowReplayer(
            log: pipeline.log,
            environment: environment,
            selection: selection,
            parallelism: 2
        )
        .run()
        let audit = try await AuditVerifier(log: pipeline.log, deployment: pipeline.deployment, parallelism: 2)
            .run(records: nil)
        return Outcome(report: report, replay: replay, replayDuration: replayDuration, shadow: shadow, audit: audit)
    }

    @Test(
        "Every conversation of the corpus ends as recorded, and every turn of it replays and verifies (R42, R44, R46)"
    )
    func everyConversationEndsAsRecorded() async throws {
        let outcome = try await Self.play(on: .broker)
        let report = outcome.report
        print("corpus: \(report.counts) in \(report.duration)")
        // Booleans of their own: a failed expectation prints the values in it, here 140 MB of conversations.
        let areMatched = report.isMatched
        let isReplayed = outcome.replay.isMatched
        let isSound = outcome.audit.isSound
        #expect(areMatched, "\(report.summary.suffix(4_000))")
        let count = report.results.count
        #expect(count == 5_307)
        print("replay: \(outcome.replay.summary) in \(outcome.replayDuration)")
        #expect(isReplayed, "\(outcome.replay.verdicts.prefix(3))")
        #expect(outcome.replay.turns > 3 * 5_307)
        #expect(outcome.shadow.changes.isEmpty, "\(outcome.shadow.changes.prefix(3))")
        #expect(outcome.shadow.differing == 0, "\(outcome.shadow.groups.prefix(3))")
        #expect(outcome.shadow.unknown == 0, "\(outcome.shadow.unknowns.prefix(3))")
        #expect(outcome.shadow.interactions > 400)
        print("audit: \(outcome.audit.summary)")
        #expect(isSound, "\(outcome.audit.findings.prefix(5))")
    }
}
