internal import IntentEvents
internal import IntentRuntime

/// The producer and the reader of a client that writes and reads anything; each is made at its first use.
actor PipelineEnds {
    private let deployment: Deployment
    private let log: any EventLog
    private var producer: Task<any LogProducer, any Error>?
    private var reader: Task<any LogReader, any Error>?

    init(_ deployment: Deployment, on log: any EventLog) {
        self.deployment = deployment
        self.log = log
    }

    /// Writes records.
    func send(_ records: [OutgoingRecord]) async throws {
        let producer = self.producer ?? Task { [log] in try await log.makeProducer() }
        self.producer = producer
        _ = try await producer.value.send(records)
    }

    /// The next events on `responses`; none when nothing has come for a second, or only transactions that were aborted.
    func next() async throws -> [Event] {
        let topicPartitions = self.deployment.topicPartitions(of: .responses)
        let starts = Dictionary(uniqueKeysWithValues: topicPartitions.map { ($0, Int64(0)) })
        let reader = self.reader ?? Task { [log] in try await log.makeReader(from: starts) }
        self.reader = reader
        return try await reader.value.next(maxRecords: 100, timeout: .seconds(1)).records
            .map { try StoredRecord($0, topic: .responses).decoded() }
    }
}
