import IntentEvents
import IntentKit
import IntentRuntime

/// A record as `tail` shows it: a line for people, or an event for programs.
struct RecordLine {
    private let prefix: String
    /// What is masked; nil shows everything.
    private let sensitive: SensitiveParameters?

    /// Shows records of a deployment's topics.
    init(prefix: String, sensitive: SensitiveParameters?) {
        self.prefix = prefix
        self.sensitive = sensitive
    }

    /// A line for people.
    func text(_ record: LogRecord) -> String {
        let time = Timestamp(milliseconds: record.timestamp).description.dropFirst(11).prefix(12)
        let topic = Topic(name: record.topicPartition.topic, prefix: self.prefix)
        let name = topic?.rawValue ?? record.topicPartition.topic.text
        let place = "\(name)/\(record.topicPartition.partition)/\(record.offset)"
        guard let event = self.event(record, on: topic) else {
            let key = record.key.map { String(decoding: $0, as: UTF8.self) } ?? "-"
            let size = record.value.map { "\($0.count) bytes" } ?? "no value"
            let error = [record.header("intentd_error"), record.header("intentd_detail")].compactMap(\.self)
            return Self.oneLine("\(time)  \(place)  \(key)  \(size)  \(error.joined(separator: ": "))")
        }
        let words = EventSummary.text(event)
        return Self.oneLine("\(time)  \(place)  \(event.userID)  \(event.subject ?? "-")  \(event.type)  \(words)")
    }

    /// The structured event with its place, or what is known of a record that is none.
    func json(_ record: LogRecord) -> JSONValue {
        let topic = Topic(name: record.topicPartition.topic, prefix: self.prefix)
        var members: JSONObject
        if let event = self.event(record, on: topic) {
            members = event.structured.object ?? [:]
        } else {
            members = [
                "key": record.key.map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null,
                "headers": .array(
                    record.headers.map { ["name": .string($0.name), "value": $0.text.map(JSONValue.string) ?? .null] }
                ),
                "timestamp": .string(Timestamp(milliseconds: record.timestamp).description),
                "size": .integer(Int64(record.value?.count ?? 0)),
            ]
            if self.sensitive == nil, let value = record.value, !Self.isSecret(record, on: topic) {
                members["value"] = .string(String(decoding: value, as: UTF8.self))
            }
        }
        members["topic"] = record.topicPartition.topic.json
        members["partition"] = .integer(Int64(record.topicPartition.partition))
        members["offset"] = .integer(record.offset)
        return .object(members)
    }

    /// Whether a record is the deployment's own secret: it is shown to nobody, whatever they ask for.
    private static func isSecret(_ record: LogRecord, on topic: Topic?) -> Bool {
        guard topic == .state, let key = record.key.flatMap({ StateKey($0) }) else { return false }
        return key.stage == nil && key.name.hasPrefix(RedriveKey.entryName + "/")
    }

    /// The event, masked; nil for what is none.
    ///
    /// Dead letters count as none: they are there because they are broken.
    private func event(_ record: LogRecord, on topic: Topic?) -> Event? {
        guard let topic, topic != .state, topic != .deadLetters else { return nil }
        var event = try? Event(
            record.content,
            position: RecordPosition(topic, record.topicPartition.partition, record.offset),
            timestamp: Timestamp(milliseconds: record.timestamp)
        )
        if let sensitive, let data = event?.data { event?.data = sensitive.masked(data) }
        return event
    }

    /// What a client wrote must not look like more than one line, nor move the terminal's cursor.
    private static func oneLine(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0.properties.generalCategory == .control || $0.value == 0x2028 ? " " : $0 }
            )
        )
    }
}
