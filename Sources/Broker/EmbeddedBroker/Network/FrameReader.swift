import NIOCore

/// Splits the stream into frames: four bytes of length, then as many bytes.
///
/// A frame gets its memory before it is read: from the connection's own allowance, or otherwise from the budget that
/// all connections share. While there is none, the connection is not read, and its client waits. A frame that has begun
/// must be complete in time, so that no client can hold memory by sending nothing.
final class FrameReader: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = Frame
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The number of bytes that each connection may have in flight without asking; also the most that is read at once.
    static let ownBytes = 64 << 10

    private enum State {
        /// Waits for the four bytes of a length.
        case length
        /// Waits for memory for this many bytes, in line with a ticket; nothing is read meanwhile.
        case waiting(Int, ticket: Int)
        /// Waits for this many bytes, for which there is memory.
        case body(Int, ByteLease)
        /// Reads no more: something was wrong.
        case over
    }

    private let limit: Int
    private let timeout: TimeAmount
    private let own = ByteBudget(total: FrameReader.ownBytes)
    private let shared: ByteBudget
    private var pending = ByteBuffer()
    private var state = State.length
    private var wantsToRead = false
    private var timer: Scheduled<Void>?

    /// Creates a reader of frames up to this many bytes, each of which must arrive within the time-out.
    init(limit: Int, timeout: TimeAmount, shared: ByteBudget) {
        self.limit = limit
        self.timeout = timeout
        self.shared = shared
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = Self.unwrapInboundIn(data)
        if case .over = self.state { return }
        if self.pending.readableBytes == 0, case .length = self.state {
            self.pending = bytes
        } else {
            self.pending.writeBuffer(&bytes)
        }
        self.cut(context: context)
    }

    /// Continues to read only while there is memory.
    func read(context: ChannelHandlerContext) {
        if case .waiting = self.state { self.wantsToRead = true } else { context.read() }
    }

    /// Discards an incomplete frame.
    func channelInactive(context: ChannelHandlerContext) {
        self.end()
        context.fireChannelInactive()
    }

    private func end() {
        self.timer?.cancel()
        self.pending = ByteBuffer()
        if case .waiting(_, let ticket) = self.state { self.shared.withdraw(ticket) }
        self.state = .over
    }

    private func cut(context: ChannelHandlerContext) {
        var hasCut = false
        loop: while true {
            switch self.state {
            case .length:
                guard let length = self.pending.readInteger(as: Int32.self) else { break loop }
                guard length >= 8 else { return self.fail(.invalidLength, context: context) }
                guard Int(length) <= self.limit else {
                    return self.fail(.frameTooLarge(Int(length)), context: context)
                }
                switch self.lease(Int(length), context: context) {
                case .granted(let lease): self.state = .body(Int(length), lease)
                case .later(let ticket):
                    self.state = .waiting(Int(length), ticket: ticket)
                    break loop
                }
            case .waiting, .over:
                break loop
            case .body(let length, let lease):
                guard let bytes = self.pending.readSlice(length: length) else {
                    self.pending.reserveCapacity(minimumWritableBytes: length - self.pending.readableBytes)
                    break loop
                }
                self.state = .length
                hasCut = true
                // A small frame is part of a larger buffer, which would stay in memory with it.
                let own = length <= Self.ownBytes ? ByteBuffer(buffer: bytes) : bytes
                context.fireChannelRead(Self.wrapInboundOut(Frame(bytes: own, lease: lease)))
            }
        }
        if hasCut { self.pending = self.pending.readableBytes == 0 ? ByteBuffer() : ByteBuffer(buffer: self.pending) }
        self.watch(context: context, anew: hasCut)
    }

    /// Memory for a frame, or a place in the line for it.
    private func lease(_ length: Int, context: ChannelHandlerContext) -> ByteBudget.Answer {
        if let lease = self.own.lease(length) { return .granted(lease) }
        // Buffers grow to powers of two.
        let bytes = min(length.nextPowerOf2, self.shared.total)
        let loop = context.eventLoop
        let here = NIOLoopBound((self, context), eventLoop: loop)
        return self.shared.lease(bytes) { lease in
            loop.execute {
                let (reader, context) = here.value
                reader.resume(lease, context: context)
            }
        }
    }

    private func resume(_ lease: ByteLease, context: ChannelHandlerContext) {
        guard case .waiting(let length, _) = self.state else { return }
        self.state = .body(length, lease)
        self.cut(context: context)
        guard self.wantsToRead else { return }
        self.wantsToRead = false
        self.read(context: context)
    }

    /// Sets the timer while a frame is being received; the client is not at fault while the frame waits for memory.
    private func watch(context: ChannelHandlerContext, anew: Bool) {
        let isComing =
            switch self.state {
            case .length: self.pending.readableBytes > 0
            case .waiting, .over: false
            case .body: true
            }
        if anew || !isComing {
            self.timer?.cancel()
            self.timer = nil
        }
        guard isComing, self.timer == nil else { return }
        let here = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        self.timer = context.eventLoop.scheduleTask(in: self.timeout) {
            let (reader, context) = here.value
            reader.fail(.late, context: context)
        }
    }

    private func fail(_ error: WireError, context: ChannelHandlerContext) {
        self.end()
        context.fireErrorCaught(error)
    }
}

extension Int {
    /// The smallest power of two that is not less.
    fileprivate var nextPowerOf2: Int { self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount) }
}

/// One request as received, without its length.
struct Frame: Sendable {
    /// The bytes; nothing else refers to them.
    var bytes: ByteBuffer
    /// Its share of the memory for requests, until the bytes are released.
    var lease: ByteLease
}
