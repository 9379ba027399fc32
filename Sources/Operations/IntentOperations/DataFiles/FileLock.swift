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
        let lock = FileLock(descriptor: descriptor)
        lock.write("")
        // A query for this second lock takes none itself, so that it is in nobody's way. Where the file system does not
        // support it, the note is not found.
        var mark = Self.wholeFile
        _ = fcntl(descriptor, Self.setLock, &mark)
        return .acquired(lock)
    }

    /// Replaces the note that the lock's holder leaves for other processes.
    func write(_ note: String) {
        let text = "\(getpid())\n\(note)"
        _ = ftruncate(self.descriptor, 0)
        _ = text.withCString { pwrite(self.descriptor, $0, strlen($0), 0) }
    }

    /// The note of the process that holds the lock; nil when no process holds it, or the note is empty or larger.
    static func note(at path: String, maximumBytes: Int) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var mark = Self.wholeFile
        guard fcntl(descriptor, Self.queryLock, &mark) == 0, mark.l_type != Int16(F_UNLCK),
            let data = try? FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
                .read(upToCount: maximumBytes + 1), data.count <= maximumBytes,
            let end = data.firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        let note = String(decoding: data[(end + 1)...], as: UTF8.self)
        return note.isEmpty ? nil : note
    }

    /// A lock on a whole file, for one who writes.
    private static var wholeFile: flock {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        return lock
    }

    #if os(Linux)
    /// `F_OFD_SETLK` and `F_OFD_GETLK`, which Glibc's module does not have: locks of an open file, not of a process.
    private static let (queryLock, setLock): (Int32, Int32) = (36, 37)
    #else
    private static let (queryLock, setLock): (Int32, Int32) = (F_OFD_GETLK, F_OFD_SETLK)
    #endif

    private static func holder(_ descriptor: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let line = bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }
        let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : text
    }
}
