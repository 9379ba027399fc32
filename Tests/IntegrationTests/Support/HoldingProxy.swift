import NIOCore
import NIOPosix
import Synchronization

/// Stands between clients and a broker, and answers for the coordinator of some transactional ids as one that does not
/// finish their last transaction: every InitProducerId gets CONCURRENT_TRANSACTIONS.
///
/// Kafka's coordinator does so for as long as a partition's leader has not confirmed the transaction's end.
final class HoldingProxy: Sendable {
    private let channel: any Channel
    private let held: Held

    /// The transactional ids that are held.
    fileprivate final class Held: Sendable {
        let ids = Mutex<Set<String>>([])
    }

    private init(channel: any Channel, held: Held) {
        self.channel = channel
        self.held = held
    }

    /// Listens, and passes everything on.
    static func listen(host: String, port: Int, for broker: (host: String, port: Int)) async throws -> HoldingProxy {
        let held = Held()
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
                            try client.pipeline.syncOperations.addHandlers([requests, Holder(upstream, held)])
                        }
                    }
            }
            .bind(host: host, port: port).get()
        return HoldingProxy(channel: channel, held: held)
    }

    /// From now on, these ids alone are held.
    func hold(_ ids: Set<String>) { self.held.ids.withLock { $0 = ids } }

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

/// Passes requests on, or answers them.
private final class Holder: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let initProducerID: Int16 = 22
    private static let concurrentTransactions: Int16 = 51

    private let upstream: any Channel
    private let held: HoldingProxy.Held

    init(_ upstream: any Channel, _ held: HoldingProxy.Held) {
        self.upstream = upstream
        self.held = held
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = Self.unwrapInboundIn(data)
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
            self.held.ids.withLock({ $0.contains(id) })
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
