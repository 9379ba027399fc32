import Foundation

/// Reads lines from standard input on a thread of its own: a read that waits for a person holds up nothing else.
struct TerminalLines: Sendable {
    private let lines: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    /// Begins to read.
    init() {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        self.continuation = continuation
        Thread.detachNewThread {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
    }

    /// Ends what is read, as if nothing more were typed.
    func finish() { self.continuation.finish() }

    /// An iterator over the lines; there is one.
    func makeAsyncIterator() -> AsyncStream<String>.Iterator { self.lines.makeAsyncIterator() }
}
