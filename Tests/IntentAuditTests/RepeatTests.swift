import InMemoryLog
import IntentAudit
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import IntentScenarios
import Testing

/// What `audit verify` finds when events were processed twice.
@Suite("Events that were processed twice", .timeLimit(.minutes(1)))
struct RepeatTests {
    @Test("R46: events that a stage processed twice, and interactions that ended twice, are found")
    func findsEventsProcessedTwice() async throws {
        let registrations = [IntentRegistration(confirmation: .never) { TransferHandler() }]
        let log = InMemoryLog()
        let first = try await Pipeline.run(registrations, partitions: 1, log: log) { try await $0.transfer("once") }
        let sound = try await first.verify()
        #expect(sound.isSound, "\(sound.findings)")

        // The stages continue as a version does that keeps no offsets in its state, after somebody has set its groups'
        // offsets back.
        let state = TopicPartition(Topic.state.name(prefix: "intents"), 0)
        let entries = try await first.records(of: .state)
        for stage in Stage.allCases {
            let key = StateKey(stage: stage, user: "", name: StateKey.chain).bytes
            let head = try #require(entries.last { $0.key == key })
            _ = try await log.write([OutgoingRecord(topicPartition: state, key: key, value: head.value)])
            let input = TopicPartition(stage.inputTopic.name(prefix: "intents"), 0)
            try log.setOffsets([input: 0], of: stage.group(prefix: "intents"))
        }
        let again = try await Pipeline.run(registrations, partitions: 1, log: log) {
            try await $0.transfer("later", user: "eve")
        }
        let report = try await again.verify()
        let repeated = report.findings.filter { $0.subject == .event && $0.detail.contains("processed it again") }
        #expect(Set(repeated.map(\.location)).count >= 3, "\(report.findings)")
        #expect(repeated.contains { $0.location == "confirmed/0/0" && $0.detail.hasPrefix("handle ") }, "\(repeated)")
        let ended = report.findings.filter { $0.subject == .output && $0.detail.contains("A second terminal response") }
        #expect(!ended.isEmpty && ended.allSatisfy { $0.location.hasPrefix("responses/0/") }, "\(report.findings)")
        #expect(ended.allSatisfy { $0.about?.interactionID == "once" }, "\(ended)")
    }
}
