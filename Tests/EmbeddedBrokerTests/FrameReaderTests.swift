import Connections
import IntentLab
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import EmbeddedBroker
@testable import IntentFuzzing

struct FrameReaderTests {
    private let megabyte = 1 << 20

    private func channel(
        limit: Int = 32 << 20,
        shared: ByteBudget = ByteBudget(total: 64 << 20),
        errors: ErrorCollector = ErrorCollector()
    ) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        let reader = FrameReader(limit: limit, timeout: .seconds(30), shared: shared)
        try channel.pipeline.syncOperations.addHandlers([reader, errors])
        return channel
    }

    private func frame(_ count: Int, _ byte: UInt8 = 7) -> ByteBuffer {
        var bytes = ByteBuffer(integer: Int32(count))
        bytes.writeRepeatingByte(byte, count: count)
        return bytes
    }

    @Test func cutsFramesHoweverBytesArrive() throws {
        let channel = try self.channel()
        var stream = self.frame(8, 1)
        stream.writeImmutableBuffer(self.frame(9, 2))
        for byte in stream.readableBytesView { try channel.writeInbound(ByteBuffer(bytes: [byte])) }
        stream.writeImmutableBuffer(self.frame(100_000, 3))
        try channel.writeInbound(stream)
        for (count, byte) in [(8, 1), (9, 2), (8, 1), (9, 2), (100_000, 3)] as [(Int, UInt8)] {
            let frame = try #require(try channel.readInbound(as: Frame.self))
            #expect(frame.bytes == ByteBuffer(repeating: byte, count: count))
        }
        #expect(try channel.readInbound(as: Frame.self) == nil)
    }

    @Test(arguments: [(Int32(-1), WireError.invalidLength), (7, .invalidLength), (17, .frameTooLarge(17))])
    func refusesInvalidLengths(length: Int32, error: WireError) throws {
        let errors = ErrorCollector()
        let channel = try self.channel(limit: 16, errors: errors)
        try channel.writeInbound(ByteBuffer(integer: length))
        try channel.writeInbound(self.frame(8))
        #expect(errors.errors == [error])
        #expect(try channel.readInbound(as: Frame.self) == nil)
    }

    @Test(
        "All connections hold no more than the budget; others are not read meanwhile, and small requests continue"
    )
    func connectionsShareMemoryBudget() throws {
        let shared = ByteBudget(total: 4 * self.megabyte)
        let channels = try (0..<100).map { _ in try self.channel(shared: shared) }
        for channel in channels {
            try channel.writeInbound(ByteBuffer(integer: Int32(self.megabyte)))
            channel.embeddedEventLoop.run()
        }
        #expect(shared.free == 0)
        let small = try self.channel(shared: shared)
        try small.writeInbound(self.frame(1_000))
        #expect(try small.readInbound(as: Frame.self)?.bytes.readableBytes == 1_000)
        // The first four are read; each makes room for one more when its frame is released.
        for (number, channel) in channels.enumerated() {
            channel.embeddedEventLoop.run()
            try channel.writeInbound(ByteBuffer(repeating: 0, count: self.megabyte))
            let frame = try channel.readInbound(as: Frame.self)
            #expect(frame?.bytes.readableBytes == self.megabyte, "\(number)")
        }
        #expect(shared.free == 4 * self.megabyte)
    }

    @Test("A connection that waits for memory is not read, and continues when there is some")
    func waitsForMemoryWithoutReading() throws {
        let shared = ByteBudget(total: self.megabyte)
        var lease = shared.lease(self.megabyte)
        let reads = ReadCounter()
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandlers([
            reads, FrameReader(limit: 32 << 20, timeout: .seconds(30), shared: shared),
        ])
        try channel.writeInbound(ByteBuffer(integer: Int32(self.megabyte)))
        let before = reads.count
        channel.read()
        #expect(reads.count == before)
        withExtendedLifetime(lease) {}
        lease = nil
        channel.embeddedEventLoop.run()
        #expect(reads.count == before + 1)
    }

    @Test("A frame that has begun ends in time or costs its connection, and its memory comes back")
    func closesUnfinishedFrameInTime() throws {
        let shared = ByteBudget(total: 4 * self.megabyte)
        let errors = ErrorCollector()
        let channel = try self.channel(shared: shared, errors: errors)
        try channel.writeInbound(self.frame(8))
        _ = try channel.readInbound(as: Frame.self)
        channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        #expect(errors.errors == [])
        try channel.writeInbound(ByteBuffer(integer: Int32(self.megabyte)))
        #expect(shared.free == 3 * self.megabyte)
        // The bytes that arrive in between change nothing.
        for _ in 0..<29 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            try channel.writeInbound(ByteBuffer(bytes: [0]))
        }
        #expect(errors.errors == [])
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(errors.errors == [.late])
        #expect(shared.free == 4 * self.megabyte)
    }

    @Test("A connection that closes frees its memory, also while it waits for more")
    func closedConnectionFreesMemory() throws {
        let shared = ByteBudget(total: self.megabyte)
        let first = try self.channel(shared: shared)
        let second = try self.channel(shared: shared)
        try first.writeInbound(ByteBuffer(integer: Int32(self.megabyte)))
        try second.writeInbound(ByteBuffer(integer: Int32(self.megabyte)))
        second.pipeline.fireChannelInactive()
        first.pipeline.fireChannelInactive()
        second.embeddedEventLoop.run()
        #expect(shared.free == self.megabyte)
    }

    @Test("A connection that closes leaves the queue for memory, and those behind it continue at once")
    func closedConnectionLeavesQueueForMemory() throws {
        let shared = ByteBudget(total: self.megabyte)
        let first = try self.channel(shared: shared)
        let second = try self.channel(shared: shared)
        let third = try self.channel(shared: shared)
        try first.writeInbound(ByteBuffer(integer: Int32(self.megabyte / 2)))
        // It needs more than there is, and the third one waits behind it.
        try second.writeInbound(ByteBuffer(integer: Int32(self.megabyte)))
        try third.writeInbound(self.frame(self.megabyte / 4))
        #expect(try third.readInbound(as: Frame.self) == nil)
        second.pipeline.fireChannelInactive()
        third.embeddedEventLoop.run()
        #expect(try third.readInbound(as: Frame.self)?.bytes.readableBytes == self.megabyte / 4)
        #expect(shared.free == self.megabyte / 2)
        first.pipeline.fireChannelInactive()
        #expect(shared.free == self.megabyte)
    }

    @Test("A connection on which nothing happens is closed; one that waits for its answer is not")
    func closesIdleButNotWaitingConnections() throws {
        let jobs = JobQueue()
        let channel = EmbeddedChannel()
        let registry = OpenConnections(limit: 1, logger: LogLines().logger())
        try channel.pipeline.syncOperations.addHandlers([
            FrameReader(limit: 1 << 20, timeout: .seconds(30), shared: ByteBudget(total: 1 << 20)),
            ConnectionHandler(
                try #require(registry.add(channel)),
                requestLimit: 2,
                idleTimeout: .seconds(600),
                jobs: jobs,
                activity: BrokerActivity(),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            ),
        ])
        channel.pipeline.fireChannelActive()
        channel.embeddedEventLoop.advanceTime(by: .seconds(599))
        let request = RequestFrame(api: .heartbeat, version: 0, clientID: nil).bytes(raw: [0, 0, 0, 0, 0, 0, 0, 0])
        var bytes = ByteBuffer(integer: Int32(request.readableBytes))
        bytes.writeImmutableBuffer(request)
        try channel.writeInbound(bytes)
        channel.embeddedEventLoop.advanceTime(by: .seconds(6_000))
        #expect(channel.isActive || registry.channel(1) != nil)
        let answer = ResponseEnvelope(api: .heartbeat, version: 0, correlationID: 0, body: HeartbeatResponse())
        channel.writeAndFlush([Reply(sequence: 0, response: answer, lease: nil)], promise: nil)
        channel.embeddedEventLoop.advanceTime(by: .seconds(599))
        #expect(registry.channel(1) != nil)
        channel.embeddedEventLoop.advanceTime(by: .seconds(601))
        #expect(registry.channel(1) == nil)
    }
}

/// Collects the errors that pass through a pipeline.
private final class ErrorCollector: ChannelInboundHandler {
    typealias InboundIn = Frame

    private(set) var errors: [WireError] = []

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? WireError { self.errors.append(error) }
    }
}

/// Counts the reads of the channel.
private final class ReadCounter: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    private(set) var count = 0

    func read(context: ChannelHandlerContext) {
        self.count += 1
        context.read()
    }
}
