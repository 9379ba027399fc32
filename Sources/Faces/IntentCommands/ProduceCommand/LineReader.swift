import Foundation
import IntentOperations
import IntentRuntime

/// Reads lines from a file or standard input, piece by piece: memory is bounded whatever the input.
///
/// Reading may wait for a person or a pipe, so it is done on a thread of its own.
struct LineReader: ~Copyable {
    /// The input's name, for errors.
    let name: String
    private let descriptor: Int32
    private let maximumLineBytes: Int
    private let pieceBytes: Int
    private var rest: [UInt8] = []
    private var lineNumber = 0
    private var isAtEnd = false

    /// Opens a file; `-` is standard input.
    /// - Throws: ``OperationError`` (66).
    init(_ path: String, maximumLineBytes: Int, pieceBytes: Int = 1 << 20) throws(OperationError) {
        self.descriptor = try Self.open(path)
        self.name = path == "-" ? "standard input" : path
        self.maximumLineBytes = maximumLineBytes
        self.pieceBytes = pieceBytes
    }

    private static func open(_ path: String) throws(OperationError) -> Int32 {
        if path != "-" { try InputFile.check(path) }
        let descriptor = path == "-" ? dup(STDIN_FILENO) : Foundation.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw OperationError(.noInput, "\(path): cannot be opened: \(String(cString: strerror(errno)))")
        }
        return descriptor
    }

    deinit { close(self.descriptor) }

    /// The number of bytes in the file; nil for an input that is not a file.
    var totalBytes: Int? {
        var status = stat()
        guard fstat(self.descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// The next available lines, without empty ones; nil at the end.
    /// - Throws: ``OperationError`` when reading fails, or for a line that is too long (65).
    mutating func next() async throws(OperationError) -> [InputLine]? {
        while !self.isAtEnd {
            let piece = try await Self.read(self.descriptor, self.pieceBytes, self.name)
            if piece.isEmpty { self.isAtEnd = true }
            let lines = self.split(piece)
            if self.rest.count > self.maximumLineBytes {
                throw OperationError(.badData, self.tooLong(self.lineNumber + 1))
            }
            if !lines.isEmpty { return lines }
        }
        return nil
    }

    private mutating func split(_ piece: [UInt8]) -> [InputLine] {
        var lines: [InputLine] = []
        var start = piece.startIndex
        while let end = piece[start...].firstIndex(of: 0x0A) {
            self.append(self.rest + piece[start..<end], to: &lines)
            self.rest = []
            start = end + 1
        }
        self.rest += piece[start...]
        if self.isAtEnd, !self.rest.isEmpty {
            self.append(self.rest, to: &lines)
            self.rest = []
        }
        return lines
    }

    private mutating func append(_ bytes: [UInt8], to lines: inout [InputLine]) {
        self.lineNumber += 1
        var bytes = bytes
        if bytes.last == 0x0D { bytes.removeLast() }
        if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return }
        lines.append(InputLine(number: self.lineNumber, bytes: bytes))
    }

    private func tooLong(_ line: Int) -> String {
        "\(self.name):\(line): the line is longer than \(self.maximumLineBytes / 1024) KiB"
    }

    /// Reads at least one byte, and more only if it is available already.
    private static func read(_ descriptor: Int32, _ limit: Int, _ name: String) async throws(OperationError) -> [UInt8]
    {
        let result: Result<[UInt8], OperationError> = await withCheckedContinuation { continuation in
            DispatchQueue.global()
                .async {
                    var bytes = [UInt8](repeating: 0, count: limit)
                    var count = 0
                    while count < limit {
                        if count > 0 {
                            var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                            guard poll(&state, 1, 0) > 0 else { break }
                        }
                        let got = bytes.withUnsafeMutableBytes { buffer in
                            Foundation.read(descriptor, buffer.baseAddress! + count, limit - count)
                        }
                        if got < 0 {
                            if errno == EINTR { continue }
                            let reason = String(cString: strerror(errno))
                            continuation.resume(returning: .failure(OperationError(.noInput, "\(name): \(reason)")))
                            return
                        }
                        if got == 0 { break }
                        count += got
                    }
                    bytes.removeLast(limit - count)
                    continuation.resume(returning: .success(bytes))
                }
        }
        return try result.get()
    }
}

/// A line of a file, with its number.
struct InputLine: Hashable, Sendable {
    /// The number, from 1.
    var number: Int
    /// The bytes, without the newline.
    var bytes: [UInt8]
}
