import Logging
import NIOCore

/// One connection: reads requests, hands them to the broker's thread and sends the answers in the requests' order.
///
/// Kafka answers in order, and clients rely on it. Whatever cannot be read closes this connection and no other.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Reply
    typealias OutboundOut = ByteBuffer

    private enum Slot {
        case waiting
        case ready(ResponseEnvelope?)
    }

    private let id: UInt64
    private let requestLimit: Int
    private let jobs: JobQueue
    private let connections: ConnectionRegistry
    private let logger: Logger
    private var slots = CircularBuffer<Slot>()
    private var firstSequence: UInt64 = 0
    private var wantsToRead = false
    private var host = ""

    /// A handler for the connection with this id.
    init(id: UInt64, requestLimit: Int, jobs: JobQueue, connections: ConnectionRegistry, logger: Logger) {
        self.id = id
        self.requestLimit = requestLimit
        self.jobs = jobs
        self.connections = connections
        self.logger = logger
    }

    /// Notes where the client is.
    func channelActive(context: ChannelHandlerContext) {
        self.host = "/" + (context.remoteAddress?.ipAddress ?? "unknown")
        context.fireChannelActive()
    }

    /// Tells the broker's thread that nobody waits any more.
    func channelInactive(context: ChannelHandlerContext) {
        self.connections.remove(self.id)
        self.jobs.add(.closed(connection: self.id))
        context.fireChannelInactive()
    }

    /// Reads on only while not too many requests wait.
    func read(context: ChannelHandlerContext) {
        if self.slots.count < self.requestLimit {
            context.read()
        } else {
            self.wantsToRead = true
        }
    }

    /// Decodes one request.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let sequence = self.firstSequence + UInt64(self.slots.count)
        do {
            var reader = WireReader(Self.unwrapInboundIn(data), isFlexible: false)
            let header = try RequestHeader(from: &reader)
            self.slots.append(.waiting)
            guard header.api.versions.contains(header.version) else {
                // Only ApiVersions comes this far: the answer is in version 0, which every client reads (KIP-511).
                let body = ApiVersionsResponse.supported(errorCode: .unsupportedVersion)
                let envelope = ResponseEnvelope(
                    api: header.api,
                    version: 0,
                    correlationID: header.correlationID,
                    body: body
                )
                self.fill(sequence, with: envelope, context: context)
                return
            }
            let request = try Request(header.api, from: &reader, version: header.version)
            let token = ReplyToken(connection: self.id, sequence: sequence)
            self.jobs.add(
                .request(
                    request,
                    RequestContext(
                        token: token,
                        version: header.version,
                        clientID: header.clientID ?? "",
                        clientHost: self.host
                    ),
                    ReplyTarget(channel: context.channel, header: header)
                )
            )
        } catch {
            self.refuse(error, context: context)
        }
    }

    /// Sends an answer, as soon as those before it have been sent.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let reply = Self.unwrapOutboundIn(data)
        self.fill(reply.sequence, with: reply.response, context: context)
        promise?.succeed()
    }

    private func fill(_ sequence: UInt64, with response: ResponseEnvelope?, context: ChannelHandlerContext) {
        guard sequence >= self.firstSequence, sequence - self.firstSequence < UInt64(self.slots.count) else { return }
        let index = self.slots.index(self.slots.startIndex, offsetBy: Int(sequence - self.firstSequence))
        self.slots[index] = .ready(response)
        while case .ready(let ready)? = self.slots.first {
            self.slots.removeFirst()
            self.firstSequence += 1
            guard let ready else { continue }
            context.write(Self.wrapOutboundOut(ready.frame(allocator: context.channel.allocator)), promise: nil)
        }
        context.flush()
        if self.wantsToRead, self.slots.count < self.requestLimit {
            self.wantsToRead = false
            context.read()
        }
    }

    /// Closes the connection over something that cannot be read.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.refuse(error, context: context)
    }

    private func refuse(_ error: any Error, context: ChannelHandlerContext) {
        let isOurs = error is WireError || error is ByteToMessageDecoderError
        self.logger.log(
            level: isOurs ? .notice : .debug,
            "Connection closed",
            metadata: ["broker.client": "\(self.host)", "error.message": "\(error)"]
        )
        context.close(promise: nil)
    }
}
