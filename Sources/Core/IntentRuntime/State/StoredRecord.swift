import Foundation
package import IntentEvents
package import IntentKit

/// A record of one of the deployment's topics, as it is kept in state, without any loss.
package struct StoredRecord: Hashable, Sendable, ContentRecord, JSONReadable {
    /// Where it was read.
    package var position: RecordPosition
    package var timestamp: Timestamp
    /// Its key, value and headers.
    package var content: RecordContent

    /// Wraps a record that was read from a topic of the deployment.
    package init(_ record: LogRecord, topic: Topic) {
        self.position = RecordPosition(topic, record.topicPartition.partition, record.offset)
        self.timestamp = Timestamp(clamping: record.timestamp)
        self.content = record.content
    }

    /// The event that the record holds.
    /// - Throws: ``EventDecodingError`` when it holds none.
    package func decoded() throws(EventDecodingError) -> Event {
        try Event(self.content, position: self.position, timestamp: self.timestamp)
    }

    /// The form in state.
    package var json: JSONValue {
        .members([
            "headers": .array(
                self.headers.map { .array([.string($0.name), $0.value.map(Self.text) ?? .null]) }
            ),
            "key": self.key.map(Self.text),
            "position": .string(self.position.description),
            "timestamp": .integer(self.timestamp.milliseconds),
            "value": self.value.map(Self.text),
        ])
    }

    package init?(_ json: JSONView) {
        guard let position = json["position"]?.string.flatMap(RecordPosition.init),
            let timestamp = json["timestamp"]?.integer, let headers = json["headers"], headers.kind == .array
        else { return nil }
        self.position = position
        self.timestamp = Timestamp(milliseconds: timestamp)
        self.content = RecordContent(
            key: json["key"].flatMap(Self.bytes),
            value: json["value"].flatMap(Self.bytes),
            headers: headers.elements.compactMap { element in
                var pair = element.elements
                guard let name = pair.next()?.string, let value = pair.next(), pair.next() == nil else { return nil }
                return LogHeader(name, bytes: Self.bytes(value))
            }
        )
    }

    /// Text where the bytes are UTF-8, else an object with base 64.
    private static func text(_ bytes: [UInt8]) -> JSONValue {
        if let text = String(validating: bytes, as: UTF8.self) { return .string(text) }
        return ["base64": .string(Data(bytes).base64EncodedString())]
    }

    private static func bytes(_ json: JSONView) -> [UInt8]? {
        if let content = json.content, !content.isEscaped { return Array(content.bytes) }
        if let text = json.string { return Array(text.utf8) }
        return json["base64"]?.string.flatMap { Data(base64Encoded: $0) }.map(Array.init)
    }
}
