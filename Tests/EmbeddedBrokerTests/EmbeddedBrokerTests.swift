import Connections
import Foundation
import GRDB
import IntentLab
import Logging
import NIOCore
import NIOPosix
import Testing

@testable import EmbeddedBroker
@testable import IntentFuzzing

struct EmbeddedBrokerTests {
    private func withDirectory(_ body: (String) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "broker-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try await body(directory.appending(path: "broker.sqlite").path())
    }

    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// Sends bytes to the broker; returns what arrives up to the end of the connection or of the first frame.
    private func ask(_ port: Int, _ bytes: ByteBuffer) async throws -> ByteBuffer {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(bytes)
            var answer = ByteBuffer()
            do {
                for try await part in inbound {
                    answer.writeImmutableBuffer(part)
                    let length = answer.getInteger(at: 0, as: Int32.self) ?? .max
                    if answer.readableBytes - 4 >= Int(length) { break }
                }
            } catch is IOError {
                // The broker has reset the connection.
            }
            return answer
        }
    }

    private func apiVersions(correlationID: Int32) -> ByteBuffer {
        var frame = ByteBuffer()
        frame.writeInteger(Int32(10))
        frame.writeInteger(ApiKey.apiVersions.rawValue)
        frame.writeInteger(Int16(0))
        frame.writeInteger(correlationID)
        frame.writeInteger(Int16(-1))
        return frame
    }

    @Test func closesOnlyMalformedConnections() async throws {
        try await self.withDirectory { path in
            let broker = try await EmbeddedBroker.start(.init(path: path), logger: self.logger)
            let malformed = [
                ByteBuffer(integer: Int32(-1)), ByteBuffer(integer: Int32.max), ByteBuffer(repeating: 0, count: 64),
            ]
            for bytes in malformed {
                #expect(try await self.ask(broker.port, bytes).readableBytes == 0)
            }
            let answer = try await self.ask(broker.port, self.apiVersions(correlationID: 42))
            #expect(answer.getInteger(at: 4, as: Int32.self) == 42)
            await broker.shutdown()
        }
    }

    @Test func secondBrokerLearnsWhoHoldsFile() async throws {
        try await self.withDirectory { path in
            let first = try await EmbeddedBroker.start(.init(path: path), logger: self.logger)
            let error = await #expect(throws: BrokerError.self) {
                try await EmbeddedBroker.start(.init(path: path), logger: self.logger)
            }
            #expect(error?.code == .locked)
            #expect(error?.message.contains("\(getpid())") == true)
            await first.shutdown()
            let second = try await EmbeddedBroker.start(.init(path: path), logger: self.logger)
            await second.shutdown()
        }
    }

    @Test func reportsTakenPortOrMissingDirectory() async throws {
        try await self.withDirectory { path in
            let first = try await EmbeddedBroker.start(.init(path: path), logger: self.logger)
            var configuration = EmbeddedBroker.Configuration(path: path + ".other")
            configuration.port = first.port
            let taken = await #expect(throws: BrokerError.self) {
                try await EmbeddedBroker.start(configuration, logger: self.logger)
            }
            #expect(taken?.code == .bind)
            let missing = await #expect(throws: BrokerError.self) {
                try await EmbeddedBroker.start(.init(path: path + "/missing/file"), logger: self.logger)
            }
            #expect(missing?.code == .storage)
            await first.shutdown()
        }
    }

    @Test("A broker that stops cleanly leaves everything in one file, with an empty write-ahead log")
    func cleanStopLeavesOneFile() async throws {
        try await self.withDirectory { path in
            let lines = LogLines()
            let broker = try await EmbeddedBroker.start(.init(path: path), logger: lines.logger())
            let answer = try await self.ask(broker.port, self.apiVersions(correlationID: 1))
            #expect(answer.readableBytes > 0)
            await broker.shutdown()
            for suffix in ["-wal", "-shm"] { #expect(!FileManager.default.fileExists(atPath: path + suffix)) }
            #expect(!lines.all.contains { $0.level >= .warning })
            let copy = path + ".copy"
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            let tables = try await DatabaseQueue(path: copy)
                .read { try String.fetchAll($0, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'") }
            #expect(Set(tables).isSuperset(of: ["topics", "partitions", "batches", "transactions"]))
        }
    }

    @Test("A loop that has ended is deallocated while its job queue is still referenced")
    func deallocatesEndedLoop() async throws {
        try await self.withDirectory { path in
            let thread = BrokerThread(
                configuration: .init(path: path),
                jobs: JobQueue(),
                connections: OpenConnections(limit: 1, logger: self.logger),
                activity: BrokerActivity(),
                logger: self.logger
            )
            // The thread that stops the broker may still be about to return from the queue when the loop has ended.
            for _ in 0..<50 {
                let isGone = try await withCheckedThrowingContinuation { continuation in
                    Thread.detachNewThread {
                        continuation.resume(with: Result { try Self.runsAndLeavesNothing(thread) })
                    }
                }
                try #require(isGone)
            }
            thread.jobs.add([.stop])
        }
    }

    /// Starts and stops a loop on the calling thread; returns whether nothing refers to it afterwards.
    private static func runsAndLeavesNothing(_ thread: BrokerThread) throws -> Bool {
        let (path, logger) = (thread.configuration.path, thread.logger)
        return try LogStore.open(path: path, synchronous: .normal, logger: logger) { store in
            weak var ended: BrokerLoop?
            MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { eventLoop in
                let loop = BrokerLoop(thread, store: store, eventLoop: eventLoop)
                ended = loop
                loop.bind { _ in Thread.detachNewThread { thread.jobs.add([.stop]) } }
            }
            return ended == nil
        }
    }

    @Test("A file that SQLite cannot close because it is still referenced is logged")
    func logsFileThatDoesNotClose() async throws {
        try await self.withDirectory { path in
            let lines = LogLines()
            let kept = try LogStore.open(path: path, synchronous: .normal, logger: lines.logger()) { $0 }
            let line = try #require(lines.all.first { $0.level == .error })
            #expect(line.message.hasPrefix("Embedded broker cannot close its file"))
            #expect(line.metadata.values.contains(path))
            withExtendedLifetime(kept) {}
        }
    }

    /// The thread still had to fulfil a promise when the start had failed and the event loop was gone; NIO ends the
    /// process for that.
    @Test func failedStartWaitsForItsThread() async throws {
        try await self.withDirectory { path in
            let isOver = DispatchSemaphore(value: 0)
            let slow = Logger(label: "test") { _ in SlowLogHandler(isOver: isOver) }
            await #expect(throws: BrokerError.self) {
                try await EmbeddedBroker.start(.init(path: path + "/missing/file"), logger: slow)
            }
            isOver.signal()
        }
    }

    @Test("Responses that clients do not read are bounded: the connection that holds most is closed, and no other")
    func boundsUnreadResponses() async throws {
        try await self.withDirectory { path in
            var configuration = EmbeddedBroker.Configuration(path: path)
            configuration.maxResponseBytes = 256 << 10
            configuration.defaultPartitions = 5_000
            let broker = try await EmbeddedBroker.start(configuration, logger: self.logger)
            let steady = try await WireClient.connect(host: "127.0.0.1", port: broker.port)
            let greedy = try await WireClient.connect(host: "127.0.0.1", port: broker.port)
            // Metadata of 5,000 partitions exceed the limit of all answers together.
            var frame = RequestFrame(api: .metadata, version: 1, clientID: nil).bytes(raw: [0, 0, 0, 1, 0, 1, 0x74])
            var bytes = ByteBuffer(integer: Int32(frame.readableBytes))
            bytes.writeBuffer(&frame)
            try? await greedy.send(raw: bytes)
            try await greedy.waitUntilClosed()
            let request = FindCoordinatorRequest(key: "g", keyType: 0)
            let answer = try await steady.ask(.findCoordinator, request, FindCoordinatorResponse.self)
            #expect(answer.errorCode == .none)
            await steady.close()
            await broker.shutdown()
        }
    }

    @Test("A request that is not finished in time costs its connection, and no other")
    func closesLateRequests() async throws {
        try await self.withDirectory { path in
            var configuration = EmbeddedBroker.Configuration(path: path)
            configuration.maxFrameTime = .milliseconds(200)
            let broker = try await EmbeddedBroker.start(configuration, logger: self.logger)
            let late = try await WireClient.connect(host: "127.0.0.1", port: broker.port)
            try? await late.send(raw: ByteBuffer(integer: Int32(30 << 20)))
            try await late.waitUntilClosed()
            let answer = try await self.ask(broker.port, self.apiVersions(correlationID: 1))
            #expect(answer.getInteger(at: 4, as: Int32.self) == 1)
            await broker.shutdown()
        }
    }

    /// ``FrameReaderTests`` tests that a connection that waits for its answer stays open, without a clock that could
    /// make this test fail.
    @Test("A connection on which nothing happens for long is closed", .timeLimit(.minutes(1)))
    func closesIdleConnections() async throws {
        try await self.withDirectory { path in
            var configuration = EmbeddedBroker.Configuration(path: path)
            configuration.maxConnectionIdle = .milliseconds(200)
            let broker = try await EmbeddedBroker.start(configuration, logger: self.logger)
            let idle = try await WireClient.connect(host: "127.0.0.1", port: broker.port)
            try await idle.waitUntilClosed()
            await broker.shutdown()
        }
    }

    @Test(
        "Connections without a complete request are closed for new clients, which is logged once",
        .enabled(if: HeldConnections.arePossible),
        .timeLimit(.minutes(3)),
        arguments: [HeldConnections.Manner.silent, .partOf([0, 0, 0, 10, 0]), .byteByByte([0, 0, 0x10, 0, 0, 0, 0])]
    )
    func idleConnectionsMakeRoomForNewClients(_ manner: HeldConnections.Manner) async throws {
        try await self.withDirectory { path in
            let lines = LogLines()
            let broker = try await EmbeddedBroker.start(.init(path: path), logger: lines.logger())
            let client = try await WireClient.connect(host: "127.0.0.1", port: broker.port)
            _ = try await client.ask(.heartbeat, HeartbeatRequest(), HeartbeatResponse.self)
            let held = try HeldConnections(1_200, to: broker.port, manner)
            let answer = try await self.ask(broker.port, self.apiVersions(correlationID: 42))
            #expect(answer.getInteger(at: 4, as: Int32.self) == 42)
            _ = try await lines.next(.warning, "Connection limit reached")
            #expect(broker.statistics.connections <= 1_000)
            held.close()
            await broker.shutdown()
            #expect(lines.all.count { $0.message.hasPrefix("Connection limit reached") } == 1)
        }
    }

    @Test func closesConnectionsBeyondLimit() async throws {
        try await self.withDirectory { path in
            var configuration = EmbeddedBroker.Configuration(path: path)
            configuration.maxConnections = 0
            let broker = try await EmbeddedBroker.start(configuration, logger: self.logger)
            let answer = try? await self.ask(broker.port, self.apiVersions(correlationID: 1))
            #expect(answer?.readableBytes ?? 0 == 0)
            await broker.shutdown()
        }
    }
}

/// A log with a slow reader: writing a line takes until the event that it is about is over, or a tenth of a second.
private struct SlowLogHandler: LogHandler {
    let isOver: DispatchSemaphore
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.critical

    init(isOver: DispatchSemaphore) { self.isOver = isOver }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { self.metadata[key] }
        set { self.metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        _ = self.isOver.wait(timeout: .now() + .milliseconds(100))
    }
}
