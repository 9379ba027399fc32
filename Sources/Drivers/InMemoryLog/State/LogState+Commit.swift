import IntentRuntime

extension LogState {
    /// Writes a batch atomically; returns the clients to wake.
    ///
    /// A commit that throws `outcomeUnknown` but was applied wakes clients too, so the error is returned as a value.
    mutating func commit(
        _ id: ClientID,
        _ batch: LaneCommit,
        now: Int64
    ) throws(LogError) -> (unknown: LogError?, wake: Set<ClientID>) {
        let group = try self.group(of: id)
        guard let member = self.groups[group]?.members[id] else { throw LogError(.closed, "the lane was closed") }
        guard !batch.offsets.isEmpty else {
            throw LogError(.other, "a commit without offsets does not prove ownership of partitions")
        }
        let owned = member.owned
        if let foreign = batch.offsets.keys.sorted().first(where: { !owned.contains($0) }) {
            throw LogError(.fenced, "\(foreign) is not assigned to lane \(member.configuration.name)")
        }
        guard member.configuration.delivery != .consumeOnly || batch.records.isEmpty else {
            throw LogError(
                .configuration,
                "lane \(member.configuration.name) only consumes, but was given records to write"
            )
        }
        let fault = self.popFault { fault in
            if case .commit(let error) = fault { error } else { nil }
        }
        if let fault {
            self.groups[group]?.members[id]?.phase = .failed
            throw fault
        }
        do throws(LogError) {
            try self.check(batch.records)
        } catch {
            // Kafka has written some of them before it notices: their offsets are used up.
            if error.code == .recordTooLarge { self.mark(batch.records, aborted: true) }
            throw error
        }
        let isApplied = self.popFault { fault in
            if case .outcomeUnknown(let applied) = fault { applied } else { nil }
        }
        if isApplied ?? true {
            _ = self.append(batch.records, now: now)
            self.groups[group]?.committed.merge(batch.offsets) { _, new in new }
        }
        if member.configuration.delivery == .exactlyOnce {
            self.mark(batch.records, aborted: !(isApplied ?? true))
        }
        var unknown: LogError?
        if isApplied != nil {
            self.groups[group]?.members[id]?.phase = .failed
            unknown = LogError(.outcomeUnknown, "no response to the commit of lane \(member.configuration.name)")
        }
        return (unknown, self.clients(of: Set(batch.records.map(\.topicPartition))))
    }
}
