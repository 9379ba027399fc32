import NIOCore
import NIOPosix
import Synchronization

@testable import EmbeddedBroker
@testable import IntentFuzzing

/// One connection to a broker, embedded or not, that reports every error code as received.
final class WireClient: Sendable {
    private let channel: any Channel
    private let pending: Pending

    /// The versions of the requests: the last one without compact lengths, where that is enough.
    private static let versions: [ApiKey: Int16] = [
        .createTopics: 4, .deleteTopics: 1, .produce: 7, .fetch: 11, .findCoordinator: 2, .joinGroup: 5, .syncGroup: 3,
        .heartbeat: 3, .leaveGroup: 3, .offsetCommit: 7, .offsetFetch: 7, .initProducerID: 4, .addPartitionsToTxn: 3,
        .addOffsetsToTxn: 3, .endTxn: 3, .txnOffsetCommit: 3,
    ]

    /// The connection is gone.
    struct Closed: Error {}

    private init(_ channel: any Channel, _ pending: Pending) {
        self.channel = channel
        self.pending = pending
    }

    /// Connects.
    static func connect(host: String, port: Int) async throws -> WireClient {
        let pending = Pending()
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let decoder = ByteToMessageHandler(FrameDecoder(limit: 100 << 20))
                    try channel.pipeline.syncOperations.addHandlers([decoder, ResponseHandler(pending)])
                }
            }
            .connect(host: host, port: port).get()
        return WireClient(channel, pending)
    }

    /// Sends a request and waits for its answer.
    func ask<Response: WireDecodable>(
        _ api: ApiKey,
        _ request: any WireEncodable,
        _: Response.Type
    ) async throws -> Response {
        let version = Self.versions[api] ?? 0
        let promise = self.channel.eventLoop.makePromise(of: ByteBuffer.self)
        let id = self.pending.add(promise)
        let frame = RequestFrame(api: api, version: version, correlationID: id).bytes(request)
        var bytes = ByteBuffer(integer: Int32(frame.readableBytes))
        bytes.writeImmutableBuffer(frame)
        self.channel.writeAndFlush(bytes, promise: nil)
        var reader = WireReader(try await promise.futureResult.get(), isFlexible: false)
        _ = try reader.int32()
        reader.isFlexible = api.isFlexible(version)
        try reader.tags()
        return try Response(from: &reader, version: version)
    }

    /// Sends bytes as they are.
    func send(raw bytes: ByteBuffer) async throws {
        try await self.channel.writeAndFlush(bytes)
    }

    /// Whether the other side has closed the connection, or does so.
    func waitUntilClosed() async throws { try await self.channel.closeFuture.get() }

    /// Closes the connection.
    func close() async { try? await self.channel.close() }

    /// Requests that wait for their answers, by correlation id.
    private final class Pending: Sendable {
        private struct State {
            var next: Int32 = 0
            var promises: [Int32: EventLoopPromise<ByteBuffer>] = [:]
            var isClosed = false
        }

        private let state = Mutex(State())

        func add(_ promise: EventLoopPromise<ByteBuffer>) -> Int32 {
            let (id, isClosed) = self.state.withLock { state in
                state.next += 1
                if !state.isClosed { state.promises[state.next] = promise }
                return (state.next, state.isClosed)
            }
            if isClosed { promise.fail(Closed()) }
            return id
        }

        func remove(_ id: Int32) -> EventLoopPromise<ByteBuffer>? {
            self.state.withLock { $0.promises.removeValue(forKey: id) }
        }

        func failAll() {
            let promises = self.state.withLock { state in
                state.isClosed = true
                defer { state.promises = [:] }
                return Array(state.promises.values)
            }
            for promise in promises { promise.fail(Closed()) }
        }
    }

    private final class ResponseHandler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let pending: Pending

        init(_ pending: Pending) { self.pending = pending }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let frame = Self.unwrapInboundIn(data)
            guard let id = frame.getInteger(at: frame.readerIndex, as: Int32.self) else { return }
            self.pending.remove(id)?.succeed(frame)
        }

        func channelInactive(context: ChannelHandlerContext) {
            self.pending.failAll()
            context.fireChannelInactive()
        }
    }
}
