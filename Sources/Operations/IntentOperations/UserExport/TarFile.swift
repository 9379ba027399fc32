internal import Foundation
internal import Synchronization

/// Writes a tar archive (POSIX ustar) whose entries' sizes are known only when they are complete.
///
/// Everything is written on a thread of its own, in the order of the calls. The first error is kept, and thrown by
/// ``close()``. The file has its name only when it is complete.
final class TarFile: Sendable {
    private struct State {
        /// Nil after an error, and when the file was closed.
        var file: FileHandle?
        /// The position of the current entry's header, and its name.
        var entry: (at: UInt64, name: String)?
        /// The size of the current entry so far.
        var size: UInt64 = 0
        var error: (any Error)?
    }

    private static let block: UInt64 = 512
    /// The largest entry that the size field of a header can state.
    private static let maximumSize: UInt64 = 0o77777777777

    private let path: String
    private let partial: String
    /// The time of all entries, in seconds since 1970.
    private let time: Int64
    private let queue = DispatchQueue(label: "intentd.export")
    private let state = Mutex(State())

    /// Creates the file, readable by its user only.
    /// - Throws: ``OperationError`` (66) when it exists already, or cannot be created.
    init(at path: String, time: Int64) throws(OperationError) {
        self.path = path
        self.partial = path + ".partial"
        self.time = time
        guard !FileManager.default.fileExists(atPath: path) else {
            throw OperationError(.noInput, "\(path) exists: name another file, or remove it")
        }
        let descriptor = open(self.partial, O_CREAT | O_TRUNC | O_WRONLY | O_NOFOLLOW, 0o600)
        guard descriptor >= 0, fchmod(descriptor, 0o600) == 0 else {
            throw OperationError(.noInput, "\(self.partial) cannot be created: \(String(cString: strerror(errno)))")
        }
        self.state.withLock { $0.file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true) }
    }

    /// Begins an entry, which ends where the next one begins.
    ///
    /// - Parameter name: Its name: at most 100 bytes of ASCII.
    func begin(_ name: String) {
        self.write { state, file in
            try self.end(&state, file)
            state.entry = (try file.offset(), name)
            try file.write(contentsOf: Data(count: Int(Self.block)))
        }
    }

    /// Appends to the current entry.
    func append(_ bytes: [UInt8]) {
        self.write { state, file in
            try file.write(contentsOf: Data(bytes))
            state.size += UInt64(bytes.count)
        }
    }

    /// Completes the archive and gives it its name.
    /// - Throws: ``OperationError`` (66) for the first error of any call; the file is then removed.
    func close() async throws(OperationError) {
        self.write { state, file in
            try self.end(&state, file)
            try file.write(contentsOf: Data(count: Int(2 * Self.block)))
            try file.synchronize()
            try file.close()
            state.file = nil
            // Not overwritten: another process may have made one meanwhile.
            guard link(self.partial, self.path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        }
        let error = await withCheckedContinuation { continuation in
            self.queue.async {
                unlink(self.partial)
                continuation.resume(returning: self.state.withLock(\.error))
            }
        }
        guard let error else { return }
        throw OperationError(.noInput, "\(self.path) cannot be written: \(error.localizedDescription)")
    }

    /// Removes what was written.
    func discard() async {
        await withCheckedContinuation { continuation in
            self.queue.async {
                self.state.withLock { $0.file = nil }
                unlink(self.partial)
                continuation.resume()
            }
        }
    }

    private func write(_ body: @escaping @Sendable (inout State, FileHandle) throws -> Void) {
        self.queue.async {
            self.state.withLock { state in
                guard let file = state.file else { return }
                do {
                    try body(&state, file)
                } catch {
                    state.error = error
                    state.file = nil
                }
            }
        }
    }

    /// Pads the current entry to whole blocks, and writes its header.
    private func end(_ state: inout State, _ file: FileHandle) throws {
        guard let entry = state.entry else { return }
        guard state.size <= Self.maximumSize else { throw POSIXError(.EFBIG) }
        let rest = state.size % Self.block
        if rest > 0 { try file.write(contentsOf: Data(count: Int(Self.block - rest))) }
        let end = try file.offset()
        try file.seek(toOffset: entry.at)
        try file.write(contentsOf: Data(Self.header(entry.name, size: state.size, time: self.time)))
        try file.seek(toOffset: end)
        state.entry = nil
        state.size = 0
    }

    /// The header of a regular file with mode 0600.
    static func header(_ name: String, size: UInt64, time: Int64) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: Int(Self.block))
        func put(_ text: String, at offset: Int) {
            for (index, byte) in text.utf8.enumerated() { header[offset + index] = byte }
        }
        func octal(_ value: UInt64, digits: Int) -> String {
            let text = String(value, radix: 8)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        put(String(name.prefix(100)), at: 0)
        put("0000600", at: 100)
        put("0000000", at: 108)
        put("0000000", at: 116)
        put(octal(size, digits: 11), at: 124)
        put(octal(UInt64(max(time, 0)), digits: 11), at: 136)
        put("        ", at: 148)
        put("0", at: 156)
        put("ustar", at: 257)
        put("00", at: 263)
        // The sum of all bytes, with spaces in place of the sum itself.
        let sum = header.reduce(UInt64(0)) { $0 + UInt64($1) }
        put(octal(sum, digits: 6), at: 148)
        header[154] = 0
        return header
    }
}
