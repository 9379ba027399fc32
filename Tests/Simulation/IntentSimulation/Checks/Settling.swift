internal import IntentEvents
internal import IntentRuntime

/// Whether everything that began has ended.
final class Settling {
    private let world: World
    private let client: Client
    private var lookedAt: Int64 = -1_000_000

    /// Creates a check of a world.
    init(_ world: World, _ client: Client) {
        self.world = world
        self.client = client
    }

    /// Whether nothing is missing; checked twice a second.
    var isSettled: Bool {
        guard self.world.scheduler.now - self.lookedAt >= 500_000, self.client.hasSentAll,
            self.world.operators.allSatisfy(\.isDone)
        else { return false }
        self.lookedAt = self.world.scheduler.now
        return self.whatIsMissing.isEmpty
    }

    /// What has not ended.
    var whatIsMissing: String {
        var missing: [String] = self.client.hasSentAll ? [] : ["something is not sent yet"]
        if !self.world.operators.allSatisfy(\.isDone) { missing.append("an operator is still acting") }
        for key in self.world.history.state.keys {
            let isOpen =
                key.name == StateName.parked || key.name.hasPrefix(StateName.queue)
                || key.name.hasPrefix(StateName.interactions) || key.name.hasPrefix(StateName.followUps)
            if isOpen { missing.append("\(key.stage?.rawValue ?? "")/\(key.user)/\(key.name) is open") }
        }
        for input in self.world.history.inputs.subtracting(self.world.history.processed) {
            missing.append("\(input.stage) has not processed \(input.position)")
        }
        let recorded = (try? self.world.tables.offsets()) ?? [:]
        for partition in self.world.recordedPartitions {
            guard let topic = Topic(name: partition.topic, prefix: "intents"),
                let last = self.world.history.records(of: topic, partition.partition).last
            else { continue }
            if recorded["\(topic.rawValue)/\(partition.partition)", default: 0] <= last.offset {
                missing.append("\(topic.rawValue)/\(partition.partition)/\(last.offset) is not recorded")
            }
        }
        return missing.sorted().joined(separator: "; ")
    }
}
