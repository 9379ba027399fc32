import IntentEvents
import IntentRuntime
import Logging

/// The floor: three hops of consumer groups that copy records in transactions without reading their content.
struct CopyChain: Sendable {
    private let bench: MeasuredLog
    private let prefix: String
    private static let hops = 3

    /// The topic of the requests.
    var input: TopicName { self.topic(0) }
    /// The topic of the copies.
    var output: TopicName { self.topic(Self.hops) }

    private init(bench: MeasuredLog) {
        self.bench = bench
        self.prefix = bench.makePrefix()
    }

    /// Creates topics of its own for the hops.
    static func make(_ bench: MeasuredLog) async throws -> CopyChain {
        let chain = CopyChain(bench: bench)
        _ = try await bench.log.createTopics(
            (0...Self.hops).map { TopicDescription(name: chain.topic($0), partitions: bench.shape.partitions) }
        )
        return chain
    }

    private func topic(_ number: Int) -> TopicName { "\(self.prefix).copy-\(number)" }

    /// Runs the body while the hops copy.
    func run<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for hop in 0..<Self.hops {
                for lane in 0..<self.bench.shape.lanes {
                    group.addTask { await self.work(hop: hop, lane: lane) }
                }
            }
            do {
                let result = try await body()
                group.cancelAll()
                return result
            } catch {
                group.cancelAll()
                throw error
            }
        }
    }

    private func work(hop: Int, lane: Int) async {
        let configuration = LaneConfiguration(
            group: "\(self.prefix).hop-\(hop)",
            topics: [self.topic(hop)],
            name: "copy-\(lane)"
        )
        while !Task.isCancelled {
            do throws(LogError) {
                let lane = try await self.bench.log.makeLane(configuration)
                let error = await withTaskCancellationHandler {
                    await self.copy(lane, to: self.topic(hop + 1))
                } onCancel: {
                    lane.wake()
                }
                await lane.close()
                if let error { throw error }
            } catch {
                // A lane that joins takes partitions from the others; they start again, as stages do.
                self.bench.logger.info("Restarting lane", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Copies until cancelled, or until an error, which it returns.
    private func copy(_ lane: any TransactionalLane, to topic: TopicName) async -> LogError? {
        do throws(LogError) {
            while !Task.isCancelled {
                for event in try await lane.poll(maxRecords: 1_000, timeout: .seconds(1)) {
                    switch event {
                    case .assigned(let offsets): try await lane.start(at: offsets)
                    case .revoked: try await lane.release()
                    case .records(let records): try await lane.commit(Self.batch(records, topic))
                    }
                }
            }
            return nil
        } catch {
            return error
        }
    }

    private static func batch(_ records: [LogRecord], _ topic: TopicName) -> LaneCommit {
        var offsets: [TopicPartition: Int64] = [:]
        let copies = records.map { record in
            offsets[record.topicPartition] = record.offset + 1
            return OutgoingRecord(
                topicPartition: TopicPartition(topic, record.topicPartition.partition),
                key: record.key,
                value: record.value,
                headers: record.headers
            )
        }
        return LaneCommit(records: copies, offsets: offsets)
    }
}
