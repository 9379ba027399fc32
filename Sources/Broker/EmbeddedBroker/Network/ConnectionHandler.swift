import Connections
import Logging
import NIOCore
import Telemetry

/// One connection: reads requests, hands them to the broker's thread and sends the answers in the order of the
/// requests.
///
/// Kafka answers in order, and clients rely on it. A request that cannot be read closes this connection and no other.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = Frame
    typealias OutboundIn = [Reply]
    typealias OutboundOut = ByteBuffer

    /// The size in bytes from which on answers are written alone instead of together with the next ones.
    private static let writeBytes = 16 << 10

    private enum Slot {
        case waiting
        case ready(ResponseEnvelope?, ResponseLease?)
    }

    private let connection: OpenConnection
    private let requestLimit: Int
    private let idleTimeout: TimeAmount
    private let jobs: JobQueue
    private let activity: BrokerActivity
    private let logger: Logger
    private var slots = CircularBuffer<Slot>()
    /// Requests that have not been handed to the broker's thread; those that arrive together share a round there.
    private var arrived: [JobQueue.Job] = []
    private var arrivedBytes = 0
    private var firstSequence: UInt64 = 0
    private var wantsToRead = false
    private var host = ""
    private var lastActive = NIODeadline.distantPast
    private var idleAlarm: Scheduled<Void>?

    init(
        _ connection: OpenConnection,
        requestLimit: Int,
        idleTimeout: TimeAmount,
        jobs: JobQueue,
        activity: BrokerActivity,
        logger: Logger
    ) {
        self.connection = connection
        self.requestLimit = requestLimit
        self.idleTimeout = idleTimeout
        self.jobs = jobs
        self.activity = activity
        self.logger = logger
    }

    /// Records the client's address.
    func channelActive(context: ChannelHandlerContext) {
        self.host = "/" + (context.remoteAddress?.ipAddress ?? "unknown")
        self.lastActive = context.eventLoop.now
        self.watchIdleness(in: self.idleTimeout, context: context)
        context.fireChannelActive()
    }

    /// Tells the broker's thread that the connection has closed.
    func channelInactive(context: ChannelHandlerContext) {
        self.idleAlarm?.cancel()
        self.slots.removeAll()
        self.jobs.add(self.arrived + [.closed(connection: self.connection.id)])
        self.arrived = []
        context.fireChannelInactive()
    }

    /// Continues to read only while few enough requests wait, and while the client reads its answers.
    func read(context: ChannelHandlerContext) {
        if self.slots.count < self.requestLimit, context.channel.isWritable {
            context.read()
        } else {
            self.wantsToRead = true
        }
    }

    /// Continues to read when the client has read enough of its answers.
    func channelWritabilityChanged(context: ChannelHandlerContext) {
        self.lastActive = context.eventLoop.now
        self.readOn(context: context)
        context.fireChannelWritabilityChanged()
    }

    private func readOn(context: ChannelHandlerContext) {
        guard self.wantsToRead else { return }
        self.wantsToRead = false
        self.read(context: context)
    }

    /// Receives one request; the broker's thread decodes its body, so that one body at a time is decoded.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = Self.unwrapInboundIn(data)
        let sequence = self.firstSequence + UInt64(self.slots.count)
        self.lastActive = context.eventLoop.now
        self.arrivedBytes += frame.bytes.readableBytes
        do {
            var reader = WireReader(frame.bytes, isFlexible: false)
            let header = try RequestHeader(from: &reader)
            self.slots.append(.waiting)
            self.connection.startAnswering()
            guard header.api.versions.contains(header.version) else {
                // Only ApiVersions gets this far: the answer is in version 0, which every client reads (KIP-511).
                let body = ApiVersionsResponse.supported(errorCode: .unsupportedVersion)
                let envelope = ResponseEnvelope(
                    api: header.api,
                    version: 0,
                    correlationID: header.correlationID,
                    body: body
                )
                self.fill([Reply(sequence: sequence, response: envelope)], context: context)
                context.flush()
                return
            }
            let token = ReplyToken(connection: self.connection.id, sequence: sequence)
            self.arrived.append(
                .request(
                    reader,
                    frame.lease,
                    RequestContext(
                        token: token,
                        version: header.version,
                        clientID: header.clientID ?? "",
                        clientHost: self.host
                    ),
                    ReplyTarget(channel: context.channel, header: header, requestBytes: frame.bytes.readableBytes)
                )
            )
        } catch {
            self.refuse(error, context: context)
        }
    }

    /// Hands the received requests to the broker's thread.
    func channelReadComplete(context: ChannelHandlerContext) {
        if !self.arrived.isEmpty {
            self.activity.received(self.arrived.count, bytes: self.arrivedBytes)
            self.jobs.add(self.arrived)
            self.arrived.removeAll(keepingCapacity: true)
            self.arrivedBytes = 0
        }
        context.fireChannelReadComplete()
    }

    /// Sends answers as soon as the ones before them have been sent.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        self.lastActive = context.eventLoop.now
        self.fill(Self.unwrapOutboundIn(data), context: context)
        promise?.succeed()
    }

    /// Flushes, and continues to read if there is room again.
    func flush(context: ChannelHandlerContext) {
        context.flush()
        self.readOn(context: context)
    }

    /// Puts answers into their places and writes all that are ready, small ones together.
    private func fill(_ replies: [Reply], context: ChannelHandlerContext) {
        for reply in replies {
            let sequence = reply.sequence
            guard sequence >= self.firstSequence, sequence - self.firstSequence < UInt64(self.slots.count) else {
                continue
            }
            let index = self.slots.index(self.slots.startIndex, offsetBy: Int(sequence - self.firstSequence))
            self.slots[index] = .ready(reply.response, reply.lease)
        }
        var frames = ByteBuffer()
        var leases: [ResponseLease] = []
        while case .ready(let ready, let lease)? = self.slots.first {
            self.slots.removeFirst()
            self.firstSequence += 1
            guard let ready else { continue }
            if frames.readableBytes >= Self.writeBytes { self.write(&frames, &leases, context: context) }
            frames.reserveCapacity(minimumWritableBytes: ready.body.weight)
            ready.write(to: &frames)
            if let lease { leases.append(lease) }
        }
        self.write(&frames, &leases, context: context)
        if self.slots.isEmpty { self.connection.waitForClient(at: context.eventLoop.now) }
    }

    private func write(_ frames: inout ByteBuffer, _ leases: inout [ResponseLease], context: ChannelHandlerContext) {
        guard frames.readableBytes > 0 else { return }
        self.activity.sent(bytes: frames.readableBytes)
        let sent = context.eventLoop.makePromise(of: Void.self)
        // The leases end with this closure, whatever the result of the write.
        sent.futureResult.whenComplete { [leases] _ in withExtendedLifetime(leases) {} }
        context.write(Self.wrapOutboundOut(frames), promise: sent)
        frames = ByteBuffer()
        leases = []
    }

    /// Checks after a while whether anything has happened on the connection since.
    private func watchIdleness(in time: TimeAmount, context: ChannelHandlerContext) {
        let here = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        self.idleAlarm = context.eventLoop.scheduleTask(in: time) {
            let (handler, context) = here.value
            handler.closeIfIdle(context: context)
        }
    }

    /// Closes the connection if it is idle.
    ///
    /// A client that waits for an answer is not idle, unless it does not read the answers that it has.
    private func closeIfIdle(context: ChannelHandlerContext) {
        let isExpected = self.slots.isEmpty || !context.channel.isWritable
        let left = self.lastActive + self.idleTimeout - context.eventLoop.now
        if isExpected, left <= .zero { return self.refuse(WireError.idle, context: context) }
        self.watchIdleness(in: left > .zero ? left : self.idleTimeout, context: context)
    }

    /// Closes the connection because of something that cannot be read.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.refuse(error, context: context)
    }

    private func refuse(_ error: any Error, context: ChannelHandlerContext) {
        let isIdle = error as? WireError == .idle
        let isOurs = error is WireError && !isIdle
        self.logger.log(
            level: isOurs ? .notice : .debug,
            "Connection closed",
            metadata: [TelemetryKey.client: "\(self.host)", TelemetryKey.errorMessage: "\(error)"]
        )
        context.close(promise: nil)
    }
}
