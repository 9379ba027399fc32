package import IntentEvents
package import IntentKit
internal import Foundation
internal import SQLiteStore

/// Headers in the column `events.headers`: a JSON array, all of them in order.
package enum HeaderJSON {
    /// Writes a record's headers: `{"name","value"}`, or `{"name","base64"}` for a value that is not UTF-8.
    static func write(_ parts: RecordParts) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(parts.envelopeCount + 24 * parts.headerCount + 2)
        bytes.append(UInt8(ascii: "["))
        parts.forEachHeader { name, value in
            if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
            Self.append(name, value, to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
        return bytes
    }

    /// Appends a header's object.
    static func append(_ name: RecordBytes, _ value: RecordBytes?, to bytes: inout [UInt8]) {
        // Members in the order of their names, as everywhere (R11).
        if let value, !value.isUTF8 {
            bytes.append(contentsOf: #"{"base64":"#.utf8)
            Data(value).base64EncodedString().utf8.withContiguousStorageIfAvailable { Self.append($0, to: &bytes) }
            bytes.append(contentsOf: #","name":"#.utf8)
            Self.append(name, to: &bytes)
        } else {
            bytes.append(contentsOf: #"{"name":"#.utf8)
            Self.append(name, to: &bytes)
            bytes.append(contentsOf: #","value":"#.utf8)
            if let value {
                Self.append(value, to: &bytes)
            } else {
                bytes.append(contentsOf: "null".utf8)
            }
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends UTF-8 as a JSON string.
    ///
    /// Most headers need no escape and are copied directly.
    private static func append(_ text: RecordBytes, to bytes: inout [UInt8]) {
        if text.allSatisfy({ $0 >= 0x20 && $0 < 0x80 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            bytes.append(UInt8(ascii: "\""))
            bytes.append(contentsOf: text)
            bytes.append(UInt8(ascii: "\""))
        } else {
            JSONText.append(to: &bytes) { $0.string(text.text) }
        }
    }

    /// Reads headers back from a column; none for NULL and for other JSON.
    static func read(_ row: PreparedStatement, _ column: Int32) throws -> [LogHeader] {
        try row.bytes(column).flatMap { Self.read(try JSONValue(parsing: $0)) } ?? []
    }

    /// Reads headers back; nil for other JSON.
    package static func read(_ json: JSONValue) -> [LogHeader]? {
        guard let elements = json.array else { return nil }
        var headers: [LogHeader] = []
        for element in elements {
            guard let name = element["name"]?.string else { return nil }
            if let text = element["base64"]?.string {
                guard let data = Data(base64Encoded: text) else { return nil }
                headers.append(LogHeader(name, bytes: Array(data)))
            } else {
                headers.append(LogHeader(name, bytes: element["value"]?.string.map { Array($0.utf8) }))
            }
        }
        return headers
    }
}
