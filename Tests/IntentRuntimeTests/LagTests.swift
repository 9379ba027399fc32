import InMemoryLog
import IntentEvents
import IntentKit
import IntentRuntime
import Testing

@Suite("What a stage has left to read")
struct LagTests {
    @Test("R14: signals to other stages are counted as read once there is nothing to do", .timeLimit(.minutes(1)))
    func passesOthersSignals() async throws {
        var settings = RuntimeSettings()
        settings.inProgressAfter = .milliseconds(20)
        let gate = Gate()
        try await Pipeline.with([IntentRegistration { SlowHandler(gate: gate) }], settings: settings) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "slow"], subject: "i1")
            // A timer of `handle`, which `resolve` and `confirm` read too.
            #expect(try await pipeline.next(of: "i1").data["status"] == "inProgress")
            gate.open()
            #expect(try await pipeline.next(of: "i1").data["status"] == "success")
            let signals = (0..<pipeline.deployment.partitions)
                .map { TopicPartition(Topic.signals.name(prefix: pipeline.deployment.prefix), $0) }
            let ends = try await pipeline.log.offsets(signals, at: .end).filter { $0.value > 0 }
            #expect(!ends.isEmpty)
            for stage in Stage.allCases {
                let group = StageWorker.group(stage, prefix: pipeline.deployment.prefix)
                // Ends with the time limit if it never comes.
                while try await pipeline.log.committedOffsets(group: group, partitions: signals)
                    .filter({ ends[$0.key] != nil }) != ends
                { await Task.yield() }
            }
        }
    }
}
