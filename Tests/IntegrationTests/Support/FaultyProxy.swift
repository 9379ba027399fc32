import EmbeddedBroker
import IntentLab
import KafkaLog
import NIOCore
import NIOPosix
import Synchronization

/// Passes requests of clients on to a broker, except for those with which it shows a fault.
final class FaultyProxy: Sendable {
    private let channel: any Channel
    private let faults: Faults

    /// What the proxy does instead of passing requests on.
    fileprivate final class Faults: Sendable {
        /// Transactional ids whose last transaction the coordinator does not finish.
        let held = Mutex<Set<String>>([])
        /// Whether the next TxnOffsetCommit is the end.
        let losesBroker = Atomic(false)
    }

    private init(channel: any Channel, faults: Faults) {
        self.channel = channel
        self.faults = faults
    }

    /// Runs the body with a broker whose clients all connect through a proxy.
    static func withBroker(
        _ lines: LogLines,
        _ body: (KafkaLog, FaultyProxy) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        var configuration = EmbeddedBroker.Configuration(path: directory.file("broker.sqlite"))
        // Clients get the proxy's address, which differs in its host alone.
        configuration.host = "127.0.0.2"
        configuration.advertisedHost = "127.0.0.1"
        let broker = try await EmbeddedBroker.start(configuration, logger: LogLines().logger())
        let proxy = try await Self.listen(
            host: "127.0.0.1",
            port: broker.port,
            for: (host: "127.0.0.2", port: broker.port)
        )
        var connection = KafkaLog.Configuration(brokers: ["127.0.0.1:\(broker.port)"])
        connection.logger = lines.logger()
        let log = KafkaLog(connection)
        try await body(log, proxy)
        await log.close()
        await proxy.close()
        await broker.shutdown()
    }

    /// Listens, and passes everything on.
    private static func listen(host: String, port: Int, for broker: (host: String, port: Int)) async throws
        -> FaultyProxy
    {
        let faults = Faults()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { client in
                ClientBootstrap(group: client.eventLoop)
                    .channelInitializer { upstream in
                        upstream.eventLoop.makeCompletedFuture {
                            try upstream.pipeline.syncOperations.addHandler(Forwarder(to: client))
                        }
                    }
                    .connect(host: broker.host, port: broker.port)
                    .flatMap { upstream in
                        client.eventLoop.makeCompletedFuture {
                            let requests = ByteToMessageHandler(RequestFrames())
                            try client.pipeline.syncOperations.addHandlers([requests, Gate(upstream, faults)])
                        }
                    }
            }
            .bind(host: host, port: port).get()
        return FaultyProxy(channel: channel, faults: faults)
    }

    /// From now on every InitProducerId of these ids, and of no others, gets CONCURRENT_TRANSACTIONS.
    ///
    /// Kafka's coordinator answers so for as long as a partition's leader has not confirmed the end of a transaction.
    func hold(_ ids: Set<String>) { self.faults.held.withLock { $0 = ids } }

    /// The next TxnOffsetCommit ends its connection, and there are no new ones: the broker is lost.
    func loseBrokerAtTransactionOffsets() { self.faults.losesBroker.store(true, ordering: .relaxed) }

    /// Returns when the broker is lost.
    func brokerIsLost() async throws { try await self.channel.closeFuture.get() }

    /// Accepts no more connections.
    func close() async { try? await self.channel.close() }
}

/// Cuts the stream into requests, each with its length.
private struct RequestFrames: ByteToMessageDecoder {
    typealias InboundOut = ByteBuffer

    mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        guard let length = buffer.getInteger(at: buffer.readerIndex, as: Int32.self),
            let frame = buffer.readSlice(length: 4 + Int(length))
        else { return .needMoreData }
        context.fireChannelRead(Self.wrapInboundOut(frame))
        return .continue
    }
}

/// Passes requests on, answers them, or closes the connection.
private final class Gate: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let txnOffsetCommit: Int16 = 28
    private static let initProducerID: Int16 = 22
    private static let concurrentTransactions: Int16 = 51

    private let upstream: any Channel
    private let faults: FaultyProxy.Faults

    init(_ upstream: any Channel, _ faults: FaultyProxy.Faults) {
        self.upstream = upstream
        self.faults = faults
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = Self.unwrapInboundIn(data)
        // Behind the length.
        let api = frame.getInteger(at: frame.readerIndex + 4, as: Int16.self)
        if api == Self.txnOffsetCommit, self.faults.losesBroker.load(ordering: .relaxed) {
            context.channel.parent?.close(promise: nil)
            return context.close(promise: nil)
        }
        guard let answer = self.answer(to: frame) else { return self.upstream.writeAndFlush(frame, promise: nil) }
        context.writeAndFlush(Self.wrapOutboundOut(answer), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.upstream.close(promise: nil)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    /// The answer to an InitProducerId of a held id; nil for other requests.
    private func answer(to frame: ByteBuffer) -> ByteBuffer? {
        var frame = frame
        guard
            let (_, api, version, correlation, client) = frame.readMultipleIntegers(
                as: (Int32, Int16, Int16, Int32, Int16).self
            ), api == Self.initProducerID, version <= 4, frame.readSlice(length: Int(max(client, 0))) != nil
        else { return nil }
        // From version 2 on there are compact lengths and tags; both are one byte for what these tests send.
        let isFlexible = version >= 2
        if isFlexible { _ = frame.readInteger(as: UInt8.self) }
        let length =
            isFlexible
            ? frame.readInteger(as: UInt8.self).map { Int($0) - 1 } : frame.readInteger(as: Int16.self).map(Int.init)
        guard let length, length >= 0, let id = frame.readString(length: length),
            self.faults.held.withLock({ $0.contains(id) })
        else { return nil }
        var answer = ByteBuffer()
        answer.writeInteger(correlation)
        if isFlexible { answer.writeInteger(UInt8(0)) }
        answer.writeMultipleIntegers(Int32(0), Self.concurrentTransactions, Int64(-1), Int16(-1))
        if isFlexible { answer.writeInteger(UInt8(0)) }
        var whole = ByteBuffer(integer: Int32(answer.readableBytes))
        whole.writeBuffer(&answer)
        return whole
    }
}

/// Passes the broker's answers on.
private final class Forwarder: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let client: any Channel

    init(to client: any Channel) { self.client = client }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        self.client.writeAndFlush(Self.unwrapInboundIn(data), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.client.close(promise: nil)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
