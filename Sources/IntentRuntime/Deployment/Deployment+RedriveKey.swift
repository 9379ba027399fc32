internal import IntentEvents
internal import IntentKit

extension Deployment {
    /// The key that proves who sent a request again; nil when none was made yet (R48).
    package func redriveKey(on log: any EventLog) async throws -> RedriveKey? {
        try await Self.first(RedriveKey.entryName, prefix: self.prefix, on: log, RedriveKey.init(json:))
    }

    /// The key that proves who sent a request again; made if there is none.
    ///
    /// Of several that are made at once, all take the one that stands first in the log.
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
            throw DeploymentError("\(self.prefix).state does not hold what was just written to it.")
        }
        return key
    }

    /// A key as it would be made now, which nobody else knows.
    package func draftRedriveKey(on log: any EventLog) async throws -> RedriveKey {
        let requests = Topic.requests.name(prefix: self.prefix)
        let ends = try await log.offsets((0..<self.partitions).map { TopicPartition(requests, $0) }, at: .end)
        return RedriveKey(
            secret: RedriveKey.randomText(byteCount: 32),
            starts: Dictionary(ends.map { ($0.key.partition, $0.value) }) { first, _ in first }
        )
    }
}
