import Foundation
import NIOCore

/// The file beside SQLite's that holds the rounds which have not been written to SQLite yet.
///
/// SQLite writes whole pages, and a small round touches many: the ends of its partitions, their producers, offsets. A
/// round is therefore written to this file in one piece before it is answered. SQLite gets many rounds at once, which
/// write each page only once; then this file is written from its beginning again. The rounds that a crashed process has
/// left are read when the file is opened.
///
/// A round is a checksum, the length of what follows it, the salt, the round's number and its writes. A new salt is
/// chosen whenever the file is opened, so that no other bytes in the file can be mistaken for a round: they come from
/// clients.
final class RoundFile {
    /// The number of bytes before the writes of a round.
    static let headerBytes = 24
    /// The largest round that is written here: for a larger one SQLite writes hardly more pages than necessary.
    static let maxRoundBytes = 64 << 10

    private let descriptor: Int32
    private let path: String
    private let waitsForDisk: Bool
    /// The number of bytes of the rounds in the file.
    private(set) var position: off_t = 0

    /// Opens the file, or creates it.
    init(path: String, waitsForDisk: Bool) throws(BrokerError) {
        self.path = path
        self.waitsForDisk = waitsForDisk
        self.descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard self.descriptor >= 0 else { throw self.failure("open") }
    }

    deinit {
        close(self.descriptor)
    }

    /// Appends a round, whose first bytes are reserved for the header.
    func append(_ round: inout ByteBuffer, number: Int64, salt: UInt64) throws(BrokerError) {
        let start = round.readerIndex
        round.setInteger(UInt32(round.readableBytes - 8), at: start + 4)
        round.setInteger(salt, at: start + 8)
        round.setInteger(number, at: start + 16)
        round.setInteger(Self.checksum(of: round), at: start)
        let isWritten = round.withUnsafeReadableBytes { bytes in
            var done = 0
            while done < bytes.count {
                let count = pwrite(
                    self.descriptor,
                    bytes.baseAddress?.advanced(by: done),
                    bytes.count - done,
                    self.position + off_t(done)
                )
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
        guard isWritten else { throw self.failure("write") }
        if self.waitsForDisk, fdatasync(self.descriptor) != 0 { throw self.failure("sync") }
        self.position += off_t(round.readableBytes)
    }

    /// Starts again at the beginning of the file: SQLite has all of its rounds.
    func restart() {
        self.position = 0
    }

    /// The rounds of this salt after a number, in order and without a gap, up to the first incomplete one.
    ///
    /// The next round is written after them.
    func rounds(salt: UInt64, after number: Int64) throws(BrokerError) -> [(number: Int64, content: ByteBuffer)] {
        var rest = try self.content()
        var found: [(Int64, ByteBuffer)] = []
        self.position = 0
        while let round = Self.round(in: rest, salt: salt) {
            // Rounds that SQLite has precede others only where they were written to SQLite and the file was not
            // restarted.
            guard round.number <= (found.last?.0 ?? number) + 1 else { break }
            if round.number > (found.last?.0 ?? number) { found.append(round) }
            let size = Self.headerBytes + round.content.readableBytes
            rest.moveReaderIndex(forwardBy: size)
            self.position += off_t(size)
        }
        return found
    }

    /// Discards the content, to start from nothing.
    func clear() throws(BrokerError) {
        self.position = 0
        guard ftruncate(self.descriptor, 0) == 0 else { throw self.failure("truncate") }
    }

    private static func round(in bytes: ByteBuffer, salt: UInt64) -> (number: Int64, content: ByteBuffer)? {
        let start = bytes.readerIndex
        guard let checksum = bytes.getInteger(at: start, as: UInt32.self),
            let length = bytes.getInteger(at: start + 4, as: UInt32.self).map(Int.init),
            bytes.getInteger(at: start + 8, as: UInt64.self) == salt,
            let number = bytes.getInteger(at: start + 16, as: Int64.self),
            length >= self.headerBytes - 8, let round = bytes.getSlice(at: start, length: length + 8),
            self.checksum(of: round) == checksum,
            let content = round.getSlice(at: self.headerBytes, length: length + 8 - self.headerBytes)
        else { return nil }
        return (number, content)
    }

    private static func checksum(of round: ByteBuffer) -> UInt32 {
        round.withUnsafeReadableBytes { CRC32C.checksum(UnsafeRawBufferPointer(rebasing: $0[4...])) }
    }

    private func content() throws(BrokerError) -> ByteBuffer {
        let size = Int(lseek(self.descriptor, 0, SEEK_END))
        guard size >= 0 else { throw self.failure("read") }
        var content = ByteBuffer()
        let count = content.writeWithUnsafeMutableBytes(minimumWritableBytes: size) { bytes in
            var done = 0
            while done < size {
                let count = pread(self.descriptor, bytes.baseAddress?.advanced(by: done), size - done, off_t(done))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                done += count
            }
            return done
        }
        guard count == size else { throw self.failure("read") }
        return content
    }

    private func failure(_ what: String) -> BrokerError {
        BrokerError(code: .storage, message: "cannot \(what) \(self.path): \(String(cString: strerror(errno)))")
    }
}
