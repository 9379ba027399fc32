internal import Foundation
internal import IntentKit
internal import Synchronization

/// The right to write a record database, held by one process and one opener at a time (R39).
///
/// It is a lock of the operating system on a file beside the database: it ends with its process, however that ends. It
/// is not on the database itself, whose locks are SQLite's.
final class RecordLock: Sendable {
    private let descriptor: Mutex<Int32?>

    private init(descriptor: Int32) { self.descriptor = Mutex(descriptor) }

    /// Acquires the lock of a database file; nil when another process has it.
    /// - Throws: `StoreError` with `file` when the lock file cannot be made.
    static func acquire(for path: String) throws -> RecordLock? {
        let file = path + ".lock"
        let descriptor = Foundation.open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StoreError(.file, "Cannot open the lock file \(file): \(String(cString: strerror(errno))).")
        }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            _ = Foundation.close(descriptor)
            if code == EWOULDBLOCK { return nil }
            throw StoreError(.file, "Cannot lock \(file): \(String(cString: strerror(code))).")
        }
        return RecordLock(descriptor: descriptor)
    }

    /// Acquires the lock when its holder releases it; tries again at this interval, without blocking a thread.
    /// - Throws: `StoreError`; `CancellationError`.
    static func wait(for path: String, interval: Duration) async throws -> RecordLock {
        while true {
            if let lock = try Self.acquire(for: path) { return lock }
            try await Task.sleep(for: interval)
        }
    }

    /// Releases the lock; a second call does nothing.
    func release() {
        let descriptor = self.descriptor.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor
        }
        if let descriptor { _ = Foundation.close(descriptor) }
    }

    deinit { self.release() }
}
