package import IntentEvents
package import IntentKit
internal import Foundation

/// Headers as the column `events.headers` has them: a JSON array, all of them in their order.
package enum HeaderJSON {
    /// Writes headers: `{"name","value"}`, or `{"name","base64"}` for a value that is not UTF-8.
    static func write(_ headers: [LogHeader]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64 * headers.count + 2)
        bytes.append(UInt8(ascii: "["))
        for (index, header) in headers.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            Self.append(header, to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
        return bytes
    }

    /// Appends a header's object.
    static func append(_ header: LogHeader, to bytes: inout [UInt8]) {
        // Members in the order of their names, as everywhere (R11).
        if let value = header.value, !Self.isPlain(value), header.text == nil {
            bytes.append(contentsOf: #"{"base64":"#.utf8)
            Self.append(Array(Data(value).base64EncodedString().utf8), to: &bytes)
            bytes.append(contentsOf: #","name":"#.utf8)
            Self.append(Array(header.name.utf8), to: &bytes)
        } else {
            bytes.append(contentsOf: #"{"name":"#.utf8)
            Self.append(Array(header.name.utf8), to: &bytes)
            bytes.append(contentsOf: #","value":"#.utf8)
            if let value = header.value {
                Self.append(value, to: &bytes)
            } else {
                bytes.append(contentsOf: "null".utf8)
            }
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends UTF-8 as a JSON string.
    ///
    /// Most headers need no escape and are copied as they are.
    private static func append(_ text: [UInt8], to bytes: inout [UInt8]) {
        if Self.isPlain(text) {
            bytes.append(UInt8(ascii: "\""))
            bytes.append(contentsOf: text)
            bytes.append(UInt8(ascii: "\""))
        } else {
            JSONText.append(to: &bytes) { $0.string(String(decoding: text, as: UTF8.self)) }
        }
    }

    /// Whether bytes are ASCII that stands for itself in a JSON string.
    private static func isPlain(_ bytes: [UInt8]) -> Bool {
        bytes.allSatisfy { $0 >= 0x20 && $0 < 0x80 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
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
