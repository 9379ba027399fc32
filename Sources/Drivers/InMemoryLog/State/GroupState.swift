import IntentEvents
import IntentRuntime

struct GroupState {
    /// The offsets that it has committed.
    var committed: [TopicPartition: Int64] = [:]
    /// Its lanes.
    var members: [ClientID: MemberState] = [:]
    /// The number of rebalances: a rebalance's time-out that comes late finds another number.
    private(set) var generation = 0

    /// Asks all members to give their partitions back.
    ///
    /// Returns the new generation, for the rebalance's time-out.
    mutating func rebalance() -> Int {
        self.generation += 1
        for (id, member) in self.members {
            switch member.phase {
            case .assigned(let partitions), .started(let partitions):
                self.members[id]?.phase = .revoking(partitions, lost: false, notified: false)
            case .offered:
                self.members[id]?.phase = .joining
            case .joining, .revoking, .failed:
                break
            }
        }
        return self.generation
    }

    /// Assigns partitions once no member holds any.
    mutating func assignIfReady(partitions: (TopicName) -> Int) {
        guard !self.members.values.contains(where: \.blocksRebalance) else { return }
        let ready = self.members.filter { $0.value.takesPart }
        let isSettled = ready.values.allSatisfy {
            if case .offered = $0.phase { true } else { false }
        }
        guard !isSettled else { return }
        let order = ready.sorted { ($0.value.configuration.name, $0.key) < ($1.value.configuration.name, $1.key) }
        let shares = RangeAssignment.assign(topics: order.map { $0.value.configuration.topics }, partitions: partitions)
        for ((id, _), share) in zip(order, shares) { self.members[id]?.phase = .offered(share) }
    }

    /// Takes the partitions of members that were asked for them and have not given them back.
    mutating func expelSilent() {
        for (id, member) in self.members {
            if case .revoking(let partitions, lost: false, _) = member.phase {
                self.members[id]?.phase = .revoking(partitions, lost: true, notified: false)
            }
        }
    }

    /// Takes the partitions of all members.
    mutating func expelAll() {
        for id in self.members.keys { self.expel(id) }
    }

    /// Takes the partitions of one member.
    mutating func expel(_ id: ClientID) {
        guard let member = self.members[id], member.blocksRebalance else { return }
        self.members[id]?.phase = .revoking(member.owned, lost: true, notified: false)
    }
}
