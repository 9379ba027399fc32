import IntentEvents
import IntentKit
import IntentRuntime

/// Checks whether a deployment's broker and store answer.
struct Probe: Sendable {
    /// The reason why there was no answer.
    struct Failure: Error, CustomStringConvertible {
        /// In words.
        var description: String
    }

    /// The log.
    let log: any EventLog
    /// Whether nobody else uses the log, so that it is closed with the probe.
    var isOwn = false
    /// The topics.
    let deployment: Deployment
    /// The store; nil where none is used.
    let ledger: (any EffectLedger)?

    /// Asks the broker for the ends of topics and the positions of groups.
    ///
    /// - Parameter groups: The groups whose lag is measured.
    /// - Returns: The time of its answer, or the reason why there was none; and the groups' lags, by topic.
    func askBroker(
        _ groups: [(name: GroupName, topics: [Topic])]
    ) async -> (Result<ContinuousClock.Instant, Failure>, [(group: GroupName, topic: TopicName, lag: Int64)]) {
        do {
            var lags: [(group: GroupName, topic: TopicName, lag: Int64)] = []
            let prefix = self.deployment.prefix
            if groups.isEmpty { _ = try await self.log.offsets(self.places(.requests), at: .end) }
            for (group, topics) in groups {
                for topic in topics {
                    let places = self.places(topic)
                    let ends = try await self.log.offsets(places, at: .lastStable)
                    let committed = try await self.log.committedOffsets(group: group, partitions: places)
                    let lag = places.reduce(Int64(0)) { sum, place in
                        sum + max(0, (ends[place] ?? 0) - (committed[place] ?? 0))
                    }
                    lags.append((group, topic.name(prefix: prefix), lag))
                }
            }
            return (.success(.now), lags)
        } catch {
            return (.failure(Failure(description: "\(error)")), [])
        }
    }

    /// Asks the store for a row; nil where there is no store.
    func askStore() async -> Result<ContinuousClock.Instant, Failure>? {
        guard let ledger = self.ledger else { return nil }
        do {
            _ = try await ledger.read { store in
                .array(try store.query("SELECT 1", []).map(JSONValue.object))
            }
            return .success(.now)
        } catch {
            return .failure(Failure(description: "\(error)"))
        }
    }

    /// Closes the log, if it is its own.
    func close() async { if self.isOwn { await self.log.close() } }

    private func places(_ topic: Topic) -> [TopicPartition] {
        (0..<self.deployment.partitions).map { TopicPartition(topic.name(prefix: self.deployment.prefix), $0) }
    }
}
