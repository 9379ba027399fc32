import Foundation
import IntentLab
import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("Lines of a file")
struct LineReaderTests {
    private let directory: TemporaryDirectory

    init() throws { self.directory = try TemporaryDirectory() }

    private func lines(_ text: String, piece: Int, limit: Int = 100) async throws -> [String] {
        var reader = try LineReader(self.directory.write(text, to: "f"), maximumLineBytes: limit, pieceBytes: piece)
        var lines: [String] = []
        while let more = try await reader.next() {
            lines += more.map { "\($0.number):\(String(decoding: $0.bytes, as: UTF8.self))" }
        }
        return lines
    }

    @Test("Lines have their numbers, however the file is split into chunks", arguments: [1, 2, 3, 5, 1_000])
    func linesHaveNumbersAcrossChunks(piece: Int) async throws {
        #expect(try await self.lines("a\n\nbc\r\n  \nd", piece: piece) == ["1:a", "3:bc", "5:d"])
        #expect(try await self.lines("", piece: piece).isEmpty)
        #expect(try await self.lines("\n\n", piece: piece).isEmpty)
    }

    @Test("A line that is too long is refused before it is read whole")
    func refusesLongLineWhileReading() async throws {
        let text = "a\n" + String(repeating: "b", count: 5_000)
        await #expect(throws: OperationError.self) { try await self.lines(text, piece: 100, limit: 1_024) }
    }

    @Test("The length is known in advance for regular files only")
    func knowsLengthOfRegularFilesOnly() async throws {
        let path = try self.directory.write("four", to: "f")
        #expect(try LineReader(path, maximumLineBytes: 1).totalBytes == 4)
        let pipe = self.directory.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        // A writer, so that opening the other end does not wait for one.
        let writer = open(pipe, O_RDWR)
        defer { close(writer) }
        #expect(try LineReader(pipe, maximumLineBytes: 1).totalBytes == nil)
    }

    @Test("A missing file and a directory are refused as missing input")
    func refusesMissingFileAndDirectory() throws {
        for path in [self.directory.file("nope"), self.directory.path] {
            let failure = #expect(throws: OperationError.self) {
                _ = try LineReader(path, maximumLineBytes: 1)
            }
            #expect(failure?.code == .noInput)
        }
    }
}
