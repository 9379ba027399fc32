internal import Foundation

/// An operating system's lock on a file that names its holder; the lock ends with the process, however that ends.
final class FileLock: Sendable {
    /// The result of trying to acquire a lock.
    enum Attempt {
        /// It is held until the lock is released.
        case acquired(FileLock)
        /// Another process has it, with its name if the file states it.
        case held(by: String?)
    }

    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(self.descriptor) }

    /// Tries to acquire the lock, or returns its holder.
    /// - Throws: ``OperationError`` when the file cannot be created.
    static func acquire(_ path: String) throws(OperationError) -> Attempt {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw OperationError(.unavailable, "cannot open \(path): \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let holder = Self.holder(descriptor)
            close(descriptor)
            return .held(by: holder)
        }
        let text = "\(getpid())\n"
        _ = ftruncate(descriptor, 0)
        _ = text.withCString { pwrite(descriptor, $0, strlen($0), 0) }
        return .acquired(FileLock(descriptor: descriptor))
    }

    private static func holder(_ descriptor: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : text
    }
}
