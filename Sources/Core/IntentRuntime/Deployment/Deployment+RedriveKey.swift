internal import IntentEvents

extension Deployment {
    /// The key that proves who redrove a request; nil when none was made yet (R48).
    package func redriveKey(on log: any EventLog) async throws -> RedriveKey? {
        try await Self.first(RedriveKey.entryName, prefix: self.prefix, on: log, RedriveKey.init(json:))
    }

    /// The key that proves who redrove a request; made if there is none.
    ///
    /// If several are made at once, the one that is first in the log counts for all.
    package func makeRedriveKey(on log: any EventLog) async throws -> RedriveKey {
        if let key = try await self.redriveKey(on: log) { return key }
        let draft = try await self.draftRedriveKey(on: log)
        try await Self.write(
            name: RedriveKey.entryName,
            id: RedriveKey.randomText(byteCount: 8),
            draft.json,
            prefix: self.prefix,
            on: log
        )
        guard let key = try await self.redriveKey(on: log) else {
            throw DeploymentError("The record just written to \(self.prefix).state cannot be read back.")
        }
        return key
    }

    /// Makes a new random key.
    package func draftRedriveKey(on log: any EventLog) async throws -> RedriveKey {
        let ends = try await log.offsets(self.topicPartitions(of: .requests), at: .end)
        return RedriveKey(
            secret: RedriveKey.randomText(byteCount: 32),
            starts: Dictionary(ends.map { ($0.key.partition, $0.value) }) { first, _ in first }
        )
    }
}
