import IntentEvents
import IntentRuntime

/// The tools of a check: the log, names of its own, and short ways to create and read things.
struct Workbench: Sendable {
    /// The log under test.
    let log: any EventLog
    /// What the suite knows about it.
    let conditions: EventLogConformance.Conditions
    private let prefix: String

    /// Prepares names for one check.
    init(_ conformance: EventLogConformance, check: String) {
        self.log = conformance.log
        self.conditions = conformance.conditions
        let slug = check.map { $0.isASCII && $0.isLetter ? String($0) : "-" }.joined()
        self.prefix = "\(conformance.run)-\(slug)"
    }

    /// This check's name for a topic, group or lane.
    func name<Kind>(_ suffix: String) -> Identity<Kind> {
        Identity("\(self.prefix)-\(suffix)")
    }

    /// Creates a topic and returns its name.
    func makeTopic(
        _ suffix: String = "topic",
        partitions: Int = 1,
        configuration: [String: String] = [:]
    ) async throws -> TopicName {
        let name: TopicName = self.name(suffix)
        let topic = TopicDescription(name: name, partitions: partitions, configuration: configuration)
        _ = try await self.log.createTopics([topic])
        return name
    }

    /// Writes records as a client does, and returns their offsets.
    @discardableResult
    func send(_ records: [OutgoingRecord]) async throws -> [Int64] {
        try await self.log.write(records)
    }

    /// Records with these values for one partition.
    func records(_ values: some Sequence<String>, _ topic: TopicName, _ partition: Int = 0) -> [OutgoingRecord] {
        values.map {
            OutgoingRecord(
                topicPartition: TopicPartition(topic, partition),
                key: Array("k".utf8),
                value: Array($0.utf8)
            )
        }
    }

    /// The configuration of a lane in this check's group.
    func laneConfiguration(
        _ name: String = "lane",
        group: String = "group",
        topics: [TopicName],
        delivery: LaneConfiguration.Delivery = .exactlyOnce
    ) -> LaneConfiguration {
        var configuration = LaneConfiguration(group: self.name(group), topics: topics, name: self.name(name))
        configuration.delivery = delivery
        configuration.sessionTimeout = self.conditions.sessionTimeout
        configuration.transactionTimeout = max(self.conditions.sessionTimeout, 5_000)
        return configuration
    }

    /// The configuration of a lane whose session lasts longer than any check.
    func longSession(_ name: String, _ topic: TopicName) -> LaneConfiguration {
        var configuration = self.laneConfiguration(name, topics: [topic])
        configuration.sessionTimeout = Int(self.conditions.timeout.components.seconds + 10) * 1_000
        configuration.transactionTimeout = 10_000
        return configuration
    }

    /// Polls two lanes of a group until they share this many partitions.
    func share(_ count: Int, _ first: LaneDriver, _ second: LaneDriver) async throws {
        let deadline = ContinuousClock.now + self.conditions.timeout
        while first.partitions.count + second.partitions.count != count || first.partitions.isEmpty
            || second.partitions.isEmpty
        {
            _ = try await first.step(timeout: .milliseconds(20))
            _ = try await second.step(timeout: .milliseconds(20))
            try self.expect(ContinuousClock.now < deadline, "the partitions were not shared")
        }
    }

    /// Runs `body` with a lane that is closed afterwards in any case.
    func withLane<Result>(
        _ configuration: LaneConfiguration,
        _ body: (LaneDriver) async throws -> Result
    ) async throws -> Result {
        let lane = LaneDriver(try await self.log.makeLane(configuration), timeout: self.conditions.timeout)
        do {
            let result = try await body(lane)
            await lane.close()
            return result
        } catch {
            await lane.close()
            throw error
        }
    }

    /// Reads partitions from their beginning to their current end.
    func readAll(_ topic: TopicName, partitions: Int = 1) async throws -> [LogRecord] {
        let all = (0..<partitions).map { TopicPartition(topic, $0) }
        let start = try await self.log.offsets(all, at: .earliest)
        let end = try await self.log.offsets(all, at: .end)
        let reader = try await self.log.makeReader(from: start)
        do {
            let records = try await self.read(reader, to: end)
            await reader.close()
            return records
        } catch {
            await reader.close()
            throw error
        }
    }

    /// Reads until every position has reached its end.
    func read(_ reader: any LogReader, to end: [TopicPartition: Int64]) async throws -> [LogRecord] {
        let deadline = ContinuousClock.now + self.conditions.timeout
        var records: [LogRecord] = []
        while true {
            let batch = try await reader.next(maxRecords: 10_000, timeout: .milliseconds(500))
            records += batch.records
            if end.allSatisfy({ batch.positions[$0.key] ?? -1 >= $0.value }) {
                return records
            }
            guard ContinuousClock.now < deadline else {
                throw ConformanceFailure("a reader got to \(batch.positions), not to \(end)")
            }
        }
    }

    /// Expects an error of this kind.
    func expect(
        _ code: LogError.Code,
        _ what: String,
        from body: () async throws -> Void
    ) async throws {
        do {
            try await body()
        } catch let error as LogError {
            guard error.code == code else {
                throw ConformanceFailure("\(what) threw \(error) instead of \(code)")
            }
            return
        }
        throw ConformanceFailure("\(what) did not throw \(code)")
    }

    /// Expects two values to be equal.
    func expect<Value: Equatable>(_ actual: Value, equals expected: Value, _ what: String) throws {
        guard actual == expected else {
            throw ConformanceFailure("\(what): \(actual) instead of \(expected)")
        }
    }

    /// Expects a condition to hold.
    func expect(_ condition: Bool, _ what: @autoclosure () -> String) throws {
        guard condition else {
            throw ConformanceFailure(what())
        }
    }
}
