import IntentEvents
import IntentLab
import IntentRuntime
import Synchronization
import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("produce sends a file's events")
struct EventFeedTests {
    /// Keeps the records that it is given.
    private final class RecordingProducer: LogProducer {
        let ids = Mutex<[String]>([])

        func send(_ records: [OutgoingRecord]) async throws(LogError) -> [Int64] {
            self.ids.withLock { ids in
                ids += records.map { record in record.headers.first { $0.name == "ce_id" }?.text ?? "" }
            }
            return records.map { _ in 0 }
        }

        func close() async {}
    }

    private let directory: TemporaryDirectory

    init() throws { self.directory = try TemporaryDirectory() }

    private func lines(_ count: Int) -> [String] {
        (0..<count).map { #"{"type":"user.authenticated","id":"e\#($0)","userid":"u\#($0 % 7)"}"# }
    }

    private func input(_ lines: [String]) throws -> LineReader {
        let path = try self.directory.write(lines.joined(separator: "\n"), to: "e.ndjson")
        return try LineReader(path, maximumLineBytes: 1_000, pieceBytes: 50_000)
    }

    @Test("All events are sent in order, however many are read at once", arguments: [0, 1, 300, 5_000])
    func sendsAllEventsInOrder(count: Int) async throws {
        let producer = RecordingProducer()
        var input = try self.input(self.lines(count))
        var feed = EventFeed(producer: producer, to: Deployment(id: "d", prefix: "x", partitions: 3), rate: nil)
        try await feed.run(&input)
        #expect(feed.sent == count)
        #expect(producer.ids.withLock { $0 } == (0..<count).map { "e\($0)" })
    }

    @Test("Nothing is sent after an invalid line, and the error says how many were", arguments: [10, 700, 4_000])
    func stopsAtFirstInvalidLine(at index: Int) async throws {
        let producer = RecordingProducer()
        var lines = self.lines(5_000)
        lines[index] = "{"
        var input = try self.input(lines)
        var feed = EventFeed(producer: producer, to: Deployment(id: "d", prefix: "x", partitions: 3), rate: nil)
        var failure: OperationError?
        do {
            try await feed.run(&input)
        } catch let error as OperationError {
            failure = error
        }
        #expect(failure?.code == .badData)
        #expect(failure?.message.contains("e.ndjson:\(index + 1): ") == true)
        let sent = producer.ids.withLock { $0 }
        #expect(failure?.message.hasSuffix("\(sent.count) events were sent before that") == true)
        #expect(sent == (0..<sent.count).map { "e\($0)" })
        #expect(sent.count <= index)
    }

    @Test("A given rate is kept")
    func keepsToGivenRate() {
        var pacer = Pacer(rate: 100)
        #expect(pacer.batch == 5)
        #expect(pacer.count(50) > .milliseconds(400))
        var free = Pacer(rate: nil)
        #expect(free.count(1_000_000) == .zero)
    }
}
