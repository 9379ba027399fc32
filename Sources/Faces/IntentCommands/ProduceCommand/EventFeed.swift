import IntentOperations
import IntentRuntime
import WireRules

/// Sends a file's events: reads and checks the next ones while the last ones are in flight.
struct EventFeed: Sendable {
    /// The number of events that were sent and acknowledged.
    private(set) var sent = 0
    /// The number of events that were read.
    private(set) var read = 0
    /// The number of members that intentd does not read.
    private(set) var unknown = 0

    /// The most unknown members that are named; the rest is counted.
    private static let maximumNamed = 100

    /// The producer of the events; nil only checks them.
    private let producer: (any LogProducer)?
    private let deployment: Deployment
    private let rate: Double?
    private let strictness: RuntimeSettings.UnknownMembers
    /// The send in flight, with its number of events.
    private var inFlight: (count: Int, task: Task<Void, any Error>)?

    /// Prepares a feed.
    ///
    /// - Parameters:
    ///   - producer: The producer of the events; nil only checks them.
    ///   - deployment: The deployment that they are for.
    ///   - rate: Events per second; nil is unlimited.
    ///   - strictness: What becomes of members that intentd does not read.
    init(
        producer: (any LogProducer)?,
        to deployment: Deployment,
        rate: Double?,
        strictness: RuntimeSettings.UnknownMembers = .warn
    ) {
        self.producer = producer
        self.deployment = deployment
        self.rate = rate
        self.strictness = strictness
    }

    /// Sends all events of the input, in its order.
    ///
    /// Nothing is sent after an invalid line; valid lines before it in the same piece are not sent either. A feed that
    /// rejects unknown members treats a line with one so, and if it only checks it reads on, to name those of all lines.
    /// - Throws: ``OperationError`` with file and line, and the number of events sent.
    mutating func run(_ input: inout LineReader) async throws {
        let progress = WorkProgress("events")
        let total = input.totalBytes.flatMap { $0 > 0 ? Double($0) : nil }
        defer { progress.finish() }
        do {
            var pacer = Pacer(rate: self.rate)
            var bytes = 0
            while let lines = try await input.next() {
                let batch = await EventBatch.read(lines, to: self.deployment)
                if self.strictness != .ignore, !batch.unknown.isEmpty {
                    progress.finish()
                    self.name(batch.unknown, input.name)
                    if self.producer != nil { try self.checkStrictness(input.name) }
                }
                if let (line, error) = batch.failure {
                    throw OperationError(error.code, "\(input.name):\(line): \(error.message)")
                }
                let (before, passed) = (self.read, bytes)
                let piece = lines.reduce(0) { $0 + $1.bytes.count + 1 }
                self.read += batch.records.count
                try await self.send(batch.records, &pacer) { count in
                    let part = Double(piece) * Double(count) / Double(max(1, batch.records.count))
                    progress.update(Int64(before + count), share: total.map { (Double(passed) + part) / $0 })
                }
                bytes += piece
                progress.update(Int64(self.read), share: total.map { Double(bytes) / $0 })
            }
            try await self.settle()
            try self.checkStrictness(input.name)
        } catch {
            // A send in flight cannot be recalled; it is counted.
            try? await self.settle()
            guard self.producer != nil, let failure = OperationError(error) else { throw error }
            throw OperationError(failure.code, "\(failure.message)\n\(self.sent) events were sent before that")
        }
    }

    /// Reports members that intentd does not read.
    private mutating func name(_ unknown: [(line: Int, member: ValueRule.UnknownMember)], _ file: String) {
        for (line, member) in unknown.prefix(max(0, Self.maximumNamed - self.unknown)) {
            StandardError.report("\(file):\(line): \(EventReader.description(of: member))")
        }
        self.unknown += unknown.count
    }

    private func checkStrictness(_ file: String) throws(OperationError) {
        guard self.strictness == .reject, self.unknown > 0 else { return }
        throw OperationError(.badData, "\(file): \(Self.count(self.unknown))")
    }

    /// The number of unknown members as a sentence.
    static func count(_ unknown: Int) -> String {
        unknown == 1 ? "1 member is not read" : "\(unknown) members are not read"
    }

    private mutating func send(
        _ records: [OutgoingRecord],
        _ pacer: inout Pacer,
        _ progress: (_ count: Int) -> Void
    ) async throws {
        guard let producer else { return }
        var rest = records[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(pacer.batch))
            rest = rest.dropFirst(batch.count)
            // One call at a time: a user's events stay in order.
            try await self.settle()
            self.inFlight = (batch.count, Task { _ = try await producer.send(batch) })
            progress(records.count - rest.count)
            let pause = pacer.count(batch.count)
            if pause > .zero { try await Task.sleep(for: pause) }
        }
    }

    /// Waits until the send in flight is acknowledged.
    private mutating func settle() async throws {
        guard let (count, task) = self.inFlight else { return }
        self.inFlight = nil
        try await task.value
        self.sent += count
    }
}
