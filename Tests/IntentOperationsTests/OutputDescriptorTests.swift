import Foundation
import Testing

@testable import IntentOperations

@Suite("Writing to standard output and standard error")
struct OutputDescriptorTests {
    @Test("A write that fails returns its error and does not end the process")
    func failedWriteReturnsItsError() throws {
        let full = open("/dev/full", O_WRONLY)
        try #require(full >= 0)
        defer { close(full) }
        #expect(OutputDescriptor.write("a line\n", to: full) == ENOSPC)
        #expect(OutputDescriptor.write("a line\n", to: -1) == EBADF)
        #expect(OutputDescriptor.write("", to: full) == nil)
    }

    @Test("Text that is larger than a pipe is written whole to a pipe that does not block")
    func waitsForPipeThatDoesNotBlock() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        _ = fcntl(writing, F_SETFL, O_NONBLOCK)
        let text = String(repeating: "0123456789äöü\n", count: 100_000)
        // A thread of its own each, because both block.
        Thread.detachNewThread {
            _ = OutputDescriptor.write(text, to: writing)
            close(writing)
        }
        let read = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let handle = FileHandle(fileDescriptor: reading, closeOnDealloc: true)
                continuation.resume(returning: try? handle.readToEnd())
            }
        }
        #expect(read == Data(text.utf8))
    }
}
