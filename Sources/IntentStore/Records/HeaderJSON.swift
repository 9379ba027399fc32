package import IntentKit
package import IntentRuntime
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
            // Members in the order of their names, as everywhere (SPEC R11).
            if let value = header.value, header.text == nil {
                bytes.append(contentsOf: #"{"base64":"#.utf8)
                JSONValue.string(Data(value).base64EncodedString()).write(to: &bytes)
                bytes.append(contentsOf: #","name":"#.utf8)
                JSONValue.string(header.name).write(to: &bytes)
            } else {
                bytes.append(contentsOf: #"{"name":"#.utf8)
                JSONValue.string(header.name).write(to: &bytes)
                bytes.append(contentsOf: #","value":"#.utf8)
                (header.text.map(JSONValue.string) ?? .null).write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
        bytes.append(UInt8(ascii: "]"))
        return bytes
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
