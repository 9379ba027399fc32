import Testing

@testable import IntentEvents

@Suite("A record holds its parts in one buffer")
struct RecordContentTests {
    private static let headers = [
        LogHeader("a", "one"), LogHeader("b", bytes: nil), LogHeader("a", "two"), LogHeader("bad", bytes: [0xFF]),
        LogHeader("", bytes: []),
    ]
    private static let content = RecordContent(key: Array("key".utf8), value: nil, headers: Self.headers)

    @Test("Each part follows its length in 32 bits, little-endian; a null has -1")
    func partsFollowTheirLengths() {
        let content = RecordContent(key: [7, 8], value: nil, headers: [LogHeader("h", "x")])
        #expect(content.bytes == [2, 0, 0, 0, 7, 8, 255, 255, 255, 255, 1, 0, 0, 0, 104, 1, 0, 0, 0, 120])
        #expect(content.byteCount == 20)
        let long = RecordContent(key: nil, value: Array(repeating: 1, count: 300))
        #expect(long.bytes.prefix(8) == [255, 255, 255, 255, 44, 1, 0, 0])
        #expect(long.valueCount == 300)
        #expect(content.valueCount == 0)
    }

    @Test("What is put together is read back; equal parts make equal records, and null is not empty")
    func readsBackPartsAndTellsNullFromEmpty() {
        let content = Self.content
        #expect(content.key == Array("key".utf8))
        #expect(content.value == nil)
        #expect(content.headers == Self.headers)
        let copied = Self.headers.flatMap { [Array($0.name.utf8), $0.value] }
        #expect(Self.copy([content.key, nil] + copied) == content)
        #expect(RecordContent(key: nil, value: []) != RecordContent(key: [], value: nil))
        #expect(RecordContent(key: nil, value: []) != RecordContent(key: nil, value: nil))
        #expect(Set([content, RecordContent(key: content.key, value: nil, headers: content.headers)]).count == 1)
    }

    private static func copy(_ parts: [[UInt8]?]) -> RecordContent {
        let buffers = parts.map { part in
            part.map { part in
                let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, part.count), alignment: 1)
                buffer.copyBytes(from: part)
                return UnsafeRawBufferPointer(rebasing: buffer.prefix(part.count))
            }
        }
        defer { for buffer in buffers { buffer?.deallocate() } }
        return buffers.withUnsafeBufferPointer { RecordContent(copying: $0) }
    }

    @Test("Of two headers with one name the last counts; a null and bytes that are not UTF-8 are no text")
    func lastHeaderOfANameCounts() {
        let content = Self.content
        #expect(content.header("a") == "two")
        #expect(content.hasHeader("a", "two"))
        #expect(!content.hasHeader("a", "one"))
        #expect(content.header("b") == nil)
        #expect(content.header("bad") == nil)
        #expect(content.header("c") == nil)
        #expect(["a", "b", "bad"].allSatisfy { content.hasHeader($0) })
        // Neither a value nor a part of a name is a name.
        #expect(!content.hasHeader("one"))
        #expect(!content.hasHeader("ba"))
        #expect(!content.hasHeader("key"))
        content.withParts { parts in
            #expect(parts.headerCount == 5)
            #expect(parts.hasHeaders)
            #expect(parts.envelopeCount == 3 + "aonebatwobad".utf8.count + 1)
        }
        RecordContent(key: nil, value: nil)
            .withParts { parts in
                #expect(parts.headerCount == 0)
                #expect(!parts.hasHeaders)
                #expect(parts.envelopeCount == 0)
            }
    }

    @Test("Several records share a writer's buffer, each with its own range, however their parts are written")
    func recordsShareAWritersBuffer() {
        var writer = RecordContentWriter(capacity: 16)
        writer.append(part: "k")
        writer.append(part: [1, 2] as [UInt8]?)
        writer.append(headersOf: Self.content, except: "a")
        let middle = writer.position
        writer.append(part: nil as [UInt8]?)
        writer.writePart { $0.append(contentsOf: [4, 5, 6]) }
        writer.append(header: "h", "text")
        writer.append(LogHeader("n", bytes: nil))
        let first = writer.content(0..<middle)
        let second = writer.content(middle..<writer.position)
        let kept = Self.headers.filter { $0.name != "a" }
        #expect(first == RecordContent(key: Array("k".utf8), value: [1, 2], headers: kept))
        #expect(first.bytes.count == middle)
        let headers = [LogHeader("h", "text"), LogHeader("n", bytes: nil)]
        #expect(second == RecordContent(key: nil, value: [4, 5, 6], headers: headers))
        var other = RecordContentWriter(capacity: 0)
        other.append(partsOf: writer)
        #expect(other == writer)
        #expect(writer.withBytes(middle..<(middle + 4)) { Array($0) } == [255, 255, 255, 255])
        #expect(first.withBytes { $0.count } == middle)
    }
}
