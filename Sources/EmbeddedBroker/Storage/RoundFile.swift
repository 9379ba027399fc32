import Foundation
import NIOCore

/// The file beside SQLite's that holds the rounds which SQLite has not been given yet.
///
/// SQLite writes whole pages, and a small round touches many: the ends of its partitions, their producers, offsets. So a
/// round is written here as it is, in one piece, before it is answered; SQLite gets many rounds at once, in which each page
/// comes once, and then the file is written from its beginning again. What a process that died has left is read when the
/// file is opened.
///
/// A round is a checksum, the length of what follows it, the salt, the round's number and what it writes. The salt is chosen
/// anew when the file is opened, so that nothing in it can be taken for a round that is none: its bytes are the clients'.
final class RoundFile {
    /// Bytes before what a round writes.
    static let headerBytes = 24
    /// The largest round that is written here: of a larger one SQLite writes hardly more pages than it has to.
    static let maxRoundBytes = 64 << 10

    private let descriptor: Int32
    private let path: String
    private let waitsForDisk: Bool
    /// Bytes of the rounds that are in the file.
    private(set) var position: off_t = 0

    /// Opens the file, or makes it.
    init(path: String, waitsForDisk: Bool) throws(BrokerError) {
        self.path = path
        self.waitsForDisk = waitsForDisk
        self.descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard self.descriptor >= 0 else { throw self.failure("open") }
    }

    deinit {
        close(self.descriptor)
    }

    /// Appends a round, whose first bytes have been left for the header.
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

    /// Begins at the start of the file again: SQLite has all of it.
    func restart() {
        self.position = 0
    }

    /// The rounds of this salt behind a number, in order and without a gap, up to the first that is not whole.
    ///
    /// The next round is written behind them.
    func rounds(salt: UInt64, after number: Int64) throws(BrokerError) -> [(number: Int64, content: ByteBuffer)] {
        var rest = try self.content()
        var found: [(Int64, ByteBuffer)] = []
        self.position = 0
        while let round = Self.round(in: rest, salt: salt) {
            // Rounds that SQLite has stand before others only where it has been given them and the file not begun anew.
            guard round.number <= (found.last?.0 ?? number) + 1 else { break }
            if round.number > (found.last?.0 ?? number) { found.append(round) }
            let size = Self.headerBytes + round.content.readableBytes
            rest.moveReaderIndex(forwardBy: size)
            self.position += off_t(size)
        }
        return found
    }

    /// Drops what has been written, for a start from nothing.
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
