import IntentLab
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import LocalHTTP

/// Speaks to a server byte by byte.
enum RawClient {
    /// Sends bytes and collects the answer until the server closes, or until a word comes.
    ///
    /// A client that `sendsFirst` reads nothing before it has sent everything; a connection that is reset meanwhile is an
    /// error.
    static func ask(
        _ bytes: String,
        of server: HTTPServer,
        until word: String? = nil,
        sendsFirst: Bool = false
    ) async throws -> String {
        let parts = server.address.split(separator: ":")
        let answer = Gathering(word: word)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(ChannelOptions.autoRead, value: !sendsFirst)
            .channelOption(ChannelOptions.allowRemoteHalfClosure, value: sendsFirst)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(answer) }
            }
            .connect(host: "127.0.0.1", port: try #require(Int(parts[1]))).get()
        let sent: EventLoopFuture<Void> = channel.writeAndFlush(ByteBuffer(string: bytes))
        if sendsFirst {
            try await sent.get()
            try await channel.setOption(ChannelOptions.autoRead, value: true).get()
            await answer.hasEnded.wait()
            try? await channel.close()
        } else {
            // The server may close before it has read everything.
            try? await sent.get()
        }
        try await channel.closeFuture.get()
        return answer.text
    }

    /// Collects what comes; closes at a word.
    private final class Gathering: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        private let word: String?
        private let bytes = Mutex<[UInt8]>([])
        /// Opens when the server sends no more.
        let hasEnded = Gate()

        init(word: String?) { self.word = word }

        var text: String { String(decoding: self.bytes.withLock(\.self), as: UTF8.self) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let buffer = self.unwrapInboundIn(data)
            self.bytes.withLock { $0 += buffer.readableBytesView }
            if let word, self.text.contains(word) { context.close(promise: nil) }
        }

        /// With half-closure, the connection stays open for what is still being sent.
        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case ChannelEvent.inputClosed = event { self.hasEnded.open() }
        }

        func channelInactive(context: ChannelHandlerContext) { self.hasEnded.open() }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
