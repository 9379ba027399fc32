import Foundation

/// The operating system's lock that keeps a second broker from using the same files.
///
/// The lock ends with the process, however that ends, and so never has to be cleared by hand.
struct StoreLock: ~Copyable {
    private let descriptor: Int32

    /// Acquires the lock, or throws an error that says which process has it.
    init(path: String) throws(BrokerError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw BrokerError(code: .storage, message: "cannot open \(path): \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            var bytes = [UInt8](repeating: 0, count: 32)
            let count = pread(descriptor, &bytes, bytes.count, 0)
            close(descriptor)
            let holder = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            throw BrokerError(
                code: .locked,
                message: "another broker holds \(path)\(holder.isEmpty ? "" : " (process \(holder))")"
            )
        }
        let text = "\(getpid())\n"
        _ = ftruncate(descriptor, 0)
        _ = text.withCString { pwrite(descriptor, $0, strlen($0), 0) }
        self.descriptor = descriptor
    }

    deinit {
        close(self.descriptor)
    }
}
