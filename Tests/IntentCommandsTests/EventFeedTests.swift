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

    @Test("R79: unknown members are named by line and path, and their events are sent")
    func namesUnknownMember() async throws {
        let producer = RecordingProducer()
        var lines = self.lines(700)
        lines[2] = #"{"type":"user.authenticated","id":"e2","userid":"u2","data":{"usr":{},"x-own":1}}"#
        lines[600] = #"{"type":"user.authenticated","id":"e600","userid":"u2","SUBJECT":"i","data":{"user":{"a.b":1}}}"#
        let errors = Mutex("")
        let receive: @Sendable (String) -> Void = { part in errors.withLock { $0 += part } }
        let feed = try await StandardError.$receiver.withValue(receive) {
            var input = try self.input(lines)
            var feed = EventFeed(producer: producer, to: Deployment(id: "d", prefix: "x", partitions: 3), rate: nil)
            try await feed.run(&input)
            return feed
        }
        #expect(feed.sent == 700)
        #expect(feed.unknown == 2)
        let named = errors.withLock { $0 }
        #expect(named.contains("e.ndjson:3: data.usr is not read; did you mean user?"))
        #expect(named.contains("e.ndjson:601: SUBJECT is not read; did you mean subject?"))
        #expect(!named.contains("x-own") && !named.contains("a.b"))
    }

    @Test("R79: a strict feed sends nothing from the piece with an unknown member on")
    func strictFeedStops() async throws {
        let producer = RecordingProducer()
        var lines = self.lines(700)
        lines[5] = #"{"type":"user.authenticated","userid":"u2","data":{"usr":{}}}"#
        var input = try self.input(lines)
        let deployment = Deployment(id: "d", prefix: "x", partitions: 3)
        var feed = EventFeed(producer: producer, to: deployment, rate: nil, strictness: .reject)
        var failure: OperationError?
        do {
            try await feed.run(&input)
        } catch let error as OperationError {
            failure = error
        }
        #expect(failure?.code == .badData)
        #expect(failure?.message.contains("1 member is not read") == true)
        #expect(producer.ids.withLock { $0 }.isEmpty)
    }

    @Test("R79: produce --check --strict names the mistakes of all lines, and exits with 65")
    func strictCheckNamesAll() async throws {
        let line = #"{"type":"intent.requested","data":{"intent":{"name":"A","params":{}},"user":{"id":"ann"}}}"#
        let path = try self.directory.write([line, line].joined(separator: "\n"), to: "mistaken.ndjson")
        let strict = await Printed.by(["produce", "--check", "--strict", path])
        #expect(strict.status == 65)
        #expect(strict.errors.contains("2 members are not read"))
        let lenient = await Printed.by(["produce", "--check", path])
        #expect(lenient.status == 0)
        #expect(lenient.errors.contains("2 events are valid; 2 members are not read"))
    }

    @Test("R79: produce --strict checks the whole file before it looks for a broker")
    func strictSendsNothing() async throws {
        let line = #"{"type":"user.authenticated","userid":"ann","data":{}}"#
        let clean = try self.directory.write(line, to: "clean.ndjson")
        let mistaken = #"{"type":"user.authenticated","userid":"ann","data":{"usr":{}}}"#
        let path = try self.directory.write([line, mistaken].joined(separator: "\n"), to: "mistaken.ndjson")
        let options = ["produce", "--strict", "--data", self.directory.path]
        #expect(await RootCommand.run(options + [path]) == 65)
        #expect(await RootCommand.run(options + [clean]) == 69)
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
