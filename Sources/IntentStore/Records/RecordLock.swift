internal import Foundation
internal import Synchronization

/// The right to write a record database, held by one process and one opener at a time (R39).
///
/// A lock of the operating system on a file beside the database: it is gone with its process, however that ends. Not on
/// the database itself, whose locks are SQLite's.
final class RecordLock: Sendable {
    private let descriptor: Mutex<Int32?>

    private init(descriptor: Int32) { self.descriptor = Mutex(descriptor) }

    /// Takes the lock of a database file; nil when somebody else has it.
    /// - Throws: ``StoreError`` with `file` when the lock file cannot be made.
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

    /// Takes the lock when its holder lets it go; asks at this interval meanwhile, without holding a thread.
    /// - Throws: ``StoreError``; `CancellationError`.
    static func wait(for path: String, interval: Duration) async throws -> RecordLock {
        while true {
            if let lock = try Self.acquire(for: path) { return lock }
            try await Task.sleep(for: interval)
        }
    }

    /// Lets others have it; again changes nothing.
    func release() {
        let descriptor = self.descriptor.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor
        }
        if let descriptor { _ = Foundation.close(descriptor) }
    }

    deinit { self.release() }
}
