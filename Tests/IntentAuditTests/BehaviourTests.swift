import IntentAudit
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@Suite("R58: turns of versions with other rules do not count as tampering")
struct BehaviourTests {
    private static let then = [IntentRegistration { TransferHandler() }]
    /// A handler with another result, as other rules would have.
    private static let now = [IntentRegistration { TransferHandler(limit: 100) }]

    /// Two transfers, one of which has another result now, in a journal of another behaviour; nil names none.
    private static func recorded(
        _ behaviour: Int64?,
        _ body: (Pipeline, TamperedLog) async throws -> Void
    ) async throws {
        let pipeline = try await Pipeline.run(Self.then) { pipeline in
            try await pipeline.transfer("large", amount: 500)
            try await pipeline.transfer("small", amount: 5)
        }
        var log = TamperedLog(pipeline.log)
        for record in try await pipeline.records(of: .journal) {
            log = log.changing(record) { record in
                var members = record.value.flatMap { try? JSONValue(parsing: $0) }?.object ?? [:]
                #expect(members["behaviour"] == .integer(Int64(TurnRecord.currentBehaviour)))
                members["behaviour"] = behaviour.map(JSONValue.integer)
                record.value = JSONValue.object(members).utf8
            }
        }
        try await body(pipeline, log)
    }

    @Test(
        "Turns of another behaviour match if they give the same bytes, else are Incomparable, which proves nothing",
        arguments: [Int64(TurnRecord.currentBehaviour + 1)]
    )
    func otherBehaviourMatchesOrIsIncomparable(_ behaviour: Int64) async throws {
        try await Self.recorded(behaviour) { pipeline, log in
            let same = try await pipeline.replay(Self.then, on: log)
            #expect(same.isMatched)
            #expect(same.turns >= 6)
            let other = try await pipeline.replay(Self.now, on: log)
            #expect(other.counts[.diverged] == nil)
            #expect(other.counts[.incomparable] == 1)
            #expect(other.counts[.matched] == same.turns - 1)
            #expect(!other.isMatched)
            let verdict = try #require(other.verdicts.first)
            #expect(verdict.stage == .resolve)
            #expect(verdict.advice.contains("this turn ran with behaviour \(behaviour), this version has"))
            #expect(verdict.advice.contains("Replay it with the version that ran it."))
            #expect(verdict.json["outcome"] == "Incomparable")
            #expect(other.json["incomparable"] == 1)
            #expect(other.summary.contains("Diverged 0, Incomparable 1, Missing 0"))
            // The same turns of today's behaviour are reported.
            #expect(try await pipeline.replay(Self.now).counts[.diverged] == 1)
        }
    }

    @Test(
        "A turn of an older behaviour, without members that interactions have today, is Incomparable and never Diverged"
    )
    func missingMembersAreIncomparable() async throws {
        try await Self.recorded(nil) { pipeline, log in
            let report = try await pipeline.replay(Self.then, on: log)
            #expect(report.counts[.diverged] == nil)
            // The two turns with which the interactions begin.
            #expect(report.counts[.incomparable] == 2)
            #expect(report.counts[.matched] == report.turns - 2)
            let verdict = try #require(report.verdicts.first)
            #expect(verdict.advice.contains("this turn ran with behaviour 1, this version has"))
        }
    }

    @Test("Interactions that would differ are counted apart where other rules may be the reason")
    func countsDifferencesOfOtherBehaviourApart() async throws {
        let poorer = [IntentRegistration { TransferHandler(available: 100) }]
        try await Self.recorded(nil) { pipeline, log in
            func play(_ log: any EventLog) async throws -> ShadowReport {
                try await ShadowReplayer(log: log, environment: pipeline.environment(poorer), parallelism: 2).run()
            }
            let report = try await play(log)
            #expect(report.differing == 1)
            #expect(report.ofOtherBehaviour == 1)
            #expect(report.json["otherBehaviour"] == 1)
            #expect(report.summary.contains("1 would differ (1 of them were run by a version"))
            #expect(try await play(pipeline.log).ofOtherBehaviour == 0)
        }
    }
}
