import IntentEvents
import IntentRuntime

/// Sends a file's events: reads and checks the next ones while the last ones are under way.
struct EventFeed: Sendable {
    /// How many events were sent.
    private(set) var sent = 0
    /// How many lines held an event.
    private(set) var read = 0

    /// Where events go; nil only checks them.
    let producer: (any LogProducer)?
    /// The topics' prefix.
    let prefix: String
    /// How many partitions the topics have.
    let partitions: Int
    /// Events a second; nil as fast as it can.
    let rate: Double?

    /// Prepares a feed.
    init(producer: (any LogProducer)?, prefix: String, partitions: Int, rate: Double?) {
        self.producer = producer
        self.prefix = prefix
        self.partitions = partitions
        self.rate = rate
    }

    /// Sends all events of the input, in its order.
    ///
    /// Nothing more is sent after a line that is not right; what stands before it in the same piece is not sent either.
    /// - Throws: ``CommandFailure`` with file and line, and how many were sent; `LogError`.
    mutating func run(_ input: inout LineReader) async throws {
        var progress = ProgressBar(total: input.totalBytes)
        defer { progress.finish() }
        var pacer = Pacer(rate: self.rate)
        var bytes = 0
        do {
            while let lines = try await input.next() {
                let events = EventReader(now: SystemRuntimeClock().now)
                var records: [OutgoingRecord] = []
                records.reserveCapacity(lines.count)
                for line in lines {
                    do throws(CommandFailure) {
                        let event = try events.read(line.bytes)
                        records.append(event.request(prefix: self.prefix, partitions: self.partitions))
                    } catch {
                        throw CommandFailure(error.status, "\(input.name):\(line.number): \(error.message)")
                    }
                    bytes += line.bytes.count + 1
                }
                self.read += records.count
                try await self.send(records, &pacer)
                progress.update(bytes: bytes, events: self.read)
            }
        } catch let failure as CommandFailure where self.producer != nil {
            throw CommandFailure(failure.status, "\(failure.message)\n\(self.sent) events were sent before that")
        }
    }

    private mutating func send(_ records: [OutgoingRecord], _ pacer: inout Pacer) async throws {
        guard let producer else { return }
        var rest = records[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(pacer.batch))
            rest = rest.dropFirst(batch.count)
            _ = try await producer.send(batch)
            self.sent += batch.count
            let pause = pacer.count(batch.count)
            if pause > .zero { try await Task.sleep(for: pause) }
        }
    }
}
