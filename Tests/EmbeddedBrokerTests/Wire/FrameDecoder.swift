import NIOCore

@testable import EmbeddedBroker

/// Splits the stream into frames: four bytes of length, then as many bytes.
struct FrameDecoder: ByteToMessageDecoder {
    typealias InboundOut = ByteBuffer

    /// The largest frame in bytes.
    let limit: Int

    /// Removes one frame from the buffer.
    mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        guard let frame = try self.next(&buffer) else { return .needMoreData }
        context.fireChannelRead(Self.wrapInboundOut(frame))
        return .continue
    }

    /// Drops the rest of a frame when the client disconnects.
    mutating func decodeLast(
        context: ChannelHandlerContext,
        buffer: inout ByteBuffer,
        seenEOF: Bool
    ) throws -> DecodingState {
        buffer.clear()
        return .needMoreData
    }

    /// The next complete frame, if there is one.
    func next(_ buffer: inout ByteBuffer) throws(WireError) -> ByteBuffer? {
        guard let length = buffer.getInteger(at: buffer.readerIndex, as: Int32.self) else { return nil }
        guard length >= 8 else { throw .invalidLength }
        guard Int(length) <= self.limit else { throw .frameTooLarge(Int(length)) }
        guard buffer.readableBytes >= 4 + Int(length) else { return nil }
        buffer.moveReaderIndex(forwardBy: 4)
        return buffer.readSlice(length: Int(length))
    }
}
