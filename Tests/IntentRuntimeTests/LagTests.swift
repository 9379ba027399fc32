import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@Suite("Lag of a stage")
struct LagTests {
    @Test("R14: signals to other stages count as read once there is nothing to do", .timeLimit(.minutes(1)))
    func othersSignalsLeaveNoLag() async throws {
        var settings = RuntimeSettings()
        settings.inProgressAfter = .milliseconds(20)
        let gate = Gate()
        try await Pipeline.with([IntentRegistration { SlowHandler(gate: gate) }], settings: settings) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "slow"], subject: "i1")
            // A timer of `handle`, which `resolve` and `confirm` read too.
            #expect(try await pipeline.next(of: "i1").data["status"] == "inProgress")
            gate.open()
            #expect(try await pipeline.next(of: "i1").data["status"] == "success")
            // A transaction's marker takes an offset too: the lag is none once the last record is processed.
            let records = try await pipeline.records(of: .signals)
            let ends = Dictionary(records.map { ($0.topicPartition, $0.offset + 1) }) { max($0, $1) }
            #expect(!ends.isEmpty)
            for stage in Stage.allCases {
                let group = stage.group(prefix: pipeline.deployment.prefix)
                try await eventually {
                    let committed = try await pipeline.log.committedOffsets(group: group, partitions: Array(ends.keys))
                    return ends.allSatisfy { committed[$0.key, default: 0] >= $0.value }
                }
            }
        }
    }
}
