package import IntentEvents
package import IntentRuntime

extension InMemoryLog {
    /// Adds a fault that happens once; a call gets the oldest fault that fits it.
    package func inject(_ fault: Fault) { try? self.change { state throws(LogError) in state.faults.append(fault) } }

    /// Removes the injected faults that have not happened.
    package func forgetFaults() { try? self.change { state throws(LogError) in state.faults = [] } }

    /// Makes a group reassign its partitions: every lane is asked to give back what it has.
    package func rebalance(_ group: GroupName) {
        let generation = try? self.transition { state throws(LogError) in state.rebalance(group) }
        self.boundRebalance(of: group, generation ?? nil)
    }

    /// Takes the partitions of all lanes of a group at once, as if they had been silent for a session time-out.
    ///
    /// Their commits throw `fenced`; their next poll says that the partitions are lost.
    package func expel(_ group: GroupName) {
        try? self.transition { state throws(LogError) in
            state.groups[group]?.expelAll()
            return ((), state.clients(in: group))
        }
    }

    /// Fences a lane as if another lane of its name had been created elsewhere.
    package func fence(lane name: LaneName, of group: GroupName) {
        let rebalance: Int?? = try? self.transition { state throws(LogError) in
            let member = state.groups[group]?.members.first { $0.value.configuration.name == name }
            guard let id = member?.key else { return (nil, []) }
            state.groups[group]?.members[id] = nil
            state.fenced.insert(id)
            let (generation, wake) = state.rebalance(group)
            return (generation, wake.union([id]))
        }
        self.boundRebalance(of: group, rebalance ?? nil)
    }

    /// Takes the partitions of one lane, as if it had been silent for its session time-out.
    ///
    /// The other lanes share them. Its commits throw `fenced`; its next poll says that the partitions are lost.
    package func expel(_ lane: any TransactionalLane) {
        guard let id = (lane as? InMemoryLane)?.id else { return }
        let begun: (GroupName, Int?)?? = try? self.transition { state throws(LogError) in
            guard let name = state.groupOfLane[id], state.groups[name]?.members[id] != nil else { return (nil, []) }
            state.groups[name]?.expel(id)
            let (generation, wake) = state.rebalance(name)
            return ((name, generation), wake)
        }
        guard case .some(.some((let name, let generation))) = begun else { return }
        self.boundRebalance(of: name, generation)
    }
}

/// A fault that a test makes a log produce once.
package enum Fault: Sendable {
    /// The next commit throws `outcomeUnknown`; the lane's successor has to find out whether it was `applied`.
    case outcomeUnknown(applied: Bool)
    /// The next commit throws this and writes nothing.
    case commit(LogError)
    /// The next call of a producer's `send` throws this and writes nothing.
    case send(LogError)
}
