@preconcurrency internal import Dispatch
internal import Foundation

/// Follows what changes in a directory, so that a test can wait for a file.
package final class DirectoryChanges: Sendable {
    private let changes: AsyncStream<Void>

    /// Begins to follow a directory that exists.
    ///
    /// - Throws: `POSIXError`.
    package init(of directory: String) throws {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        let mask = UInt32(IN_CREATE | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM)
        guard descriptor >= 0, inotify_add_watch(descriptor, directory, mask) >= 0 else {
            let code = errno
            close(descriptor)
            throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
        }
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
        source.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 4_096)
            while read(descriptor, &bytes, bytes.count) > 0 {}
            continuation.yield()
        }
        source.setCancelHandler { close(descriptor) }
        continuation.onTermination = { _ in source.cancel() }
        source.resume()
        self.changes = changes
    }

    /// Waits until a condition about the files holds, which is checked at once and after each change.
    ///
    /// - Throws: What the condition throws; `CancellationError`.
    package func until(_ condition: () throws -> Bool) async throws {
        if try condition() { return }
        for await _ in self.changes where try condition() { return }
        throw CancellationError()
    }
}
