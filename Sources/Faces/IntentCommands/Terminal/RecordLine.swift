import IntentEvents
import IntentKit
import IntentOperations
import IntentRuntime

/// A record in the output of `tail`: a line for people, or an event for programs.
struct RecordLine {
    private let prefix: String
    private let masking: Masking
    private let style: TextStyle
    /// The parameters that the prompts so far ask for: an answer only names its prompt.
    private var asked: [String: (intent: String, parameter: String)] = [:]

    /// The number of prompts that are remembered.
    private static let maximumPrompts = 10_000

    init(prefix: String, masking: Masking, style: TextStyle = TextStyle(isShown: false)) {
        self.prefix = prefix
        self.masking = masking
        self.style = style
    }

    /// Records the parameter that a prompt asks for, so that its answer is masked accordingly, and no more.
    mutating func record(_ record: LogRecord) {
        guard !self.masking.isRevealed, Topic(name: record.topicPartition.topic, prefix: self.prefix) == .responses,
            let event = self.decoded(record, on: .responses), event.knownType == .promptIssued,
            let prompt = event.data["promptId"]?.string, let intent = event.data["intent"]?["name"]?.string,
            let parameter = event.data["parameter"]?.string
        else { return }
        if self.asked.count >= Self.maximumPrompts { self.asked = [:] }
        self.asked[prompt] = (intent, parameter)
    }

    /// A line for people.
    func text(_ record: LogRecord) -> String {
        let time = Timestamp(milliseconds: record.timestamp).description.dropFirst(11).prefix(12)
        let topic = Topic(name: record.topicPartition.topic, prefix: self.prefix)
        let name = topic?.rawValue ?? record.topicPartition.topic.text
        let position = "\(name)/\(record.topicPartition.partition)/\(record.offset)"
        guard let event = self.event(record, on: topic) else {
            let key = record.key.map { String(decoding: $0, as: UTF8.self) } ?? "-"
            let size = record.value.map { "\($0.count) bytes" } ?? "no value"
            let error = [record.header("intentd_error"), record.header("intentd_detail")].compactMap(\.self)
            let rest = SafeText.line("\(key)  \(size)  \(error.joined(separator: ": "))")
            return
                "\(self.style.faint(SafeText.line("\(time)  \(position)")))  \(error.isEmpty ? rest : self.style.bad(rest))"
        }
        let about = SafeText.line("\(event.userID)  \(event.subject ?? "-")")
        let (type, words) = (SafeText.line(event.type), SafeText.line(EventSummary.text(event)))
        return
            "\(self.style.faint(SafeText.line("\(time)  \(position)")))  \(about)  \(self.shown(type, of: event))  \(words)"
    }

    /// A type, by its meaning for the interaction.
    private func shown(_ type: String, of event: Event) -> String {
        switch event.knownType {
        case .eventRejected: self.style.bad(type)
        case .intentResponded: self.style.status(event.data["status"]?.string)(type)
        case .promptIssued: self.style.strong(type)
        default: type
        }
    }

    /// The structured event with its position, or what is known of a record that is not an event.
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
            if self.masking.isRevealed, let value = record.value, !Masking.isSecret(record, on: topic) {
                members["value"] = .string(String(decoding: value, as: UTF8.self))
            }
        }
        members["topic"] = record.topicPartition.topic.json
        members["partition"] = .integer(Int64(record.topicPartition.partition))
        members["offset"] = .integer(record.offset)
        return .object(members)
    }

    /// The event, masked; nil for a record that is not an event.
    ///
    /// Dead letters do not count as events: they are there because they are broken.
    private func event(_ record: LogRecord, on topic: Topic?) -> Event? {
        guard let topic, topic != .state, topic != .deadLetters, var event = self.decoded(record, on: topic) else {
            return nil
        }
        event.data = self.masked(event)
        return event
    }

    private func decoded(_ record: LogRecord, on topic: Topic) -> Event? {
        try? Event(
            record.content,
            position: RecordPosition(topic, record.topicPartition.partition, record.offset),
            timestamp: Timestamp(milliseconds: record.timestamp)
        )
    }

    private func masked(_ event: Event) -> JSONValue {
        guard event.knownType == .promptAnswered, event.data["intent"] == nil,
            let asked = event.data["promptId"]?.string.flatMap({ self.asked[$0] })
        else { return self.masking.masked(event.data) }
        return self.masking.masked(answer: event.data, of: asked.intent, parameter: asked.parameter)
    }
}
