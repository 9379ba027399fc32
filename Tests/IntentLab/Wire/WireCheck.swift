package import IntentEvents
internal import IntentKit
package import IntentRuntime
internal import WireDocuments
internal import WireRules

/// Checks that what intentd writes to its topics matches its schemas, to the member (R11).
///
/// What clients write to `requests` is not checked; when it is forwarded, only its place is checked.
package struct WireCheck: Sendable {
    /// A record that does not match its description.
    package struct Defect: Hashable, Sendable, CustomStringConvertible {
        /// Its position.
        package var position: RecordPosition
        /// Its type, if it has one.
        package var type: String?
        /// What is wrong with it.
        package var text: String

        /// The position, and what is wrong.
        package var description: String { "\(self.position) \(self.type ?? "-"): \(self.text)" }
    }

    /// The number of records of each type that intentd wrote.
    package private(set) var counts: [String: Int] = [:]
    /// The defects.
    package private(set) var defects: [Defect] = []

    /// Creates a check.
    package init() {}

    /// Checks the current content of the topics.
    package static func all(of deployment: Deployment, on log: any EventLog) async throws -> WireCheck {
        var check = WireCheck()
        let partitions = Topic.allCases.flatMap { topic in
            (0..<deployment.partitions).map { TopicPartition(topic.name(prefix: deployment.prefix), $0) }
        }
        let ends = try await log.offsets(partitions, at: .lastStable)
        let starts = try await log.offsets(partitions, at: .earliest)
        let reader = try await log.makeReader(from: starts)
        var isComplete = false
        while !isComplete {
            let batch = try await reader.next(maxRecords: 10_000, timeout: .milliseconds(100))
            for record in batch.records {
                guard let topic = Topic(name: record.topicPartition.topic, prefix: deployment.prefix) else { continue }
                check.observe(record, of: topic)
            }
            isComplete = ends.allSatisfy { batch.positions[$0.key, default: 0] >= $0.value }
        }
        await reader.close()
        return check
    }

    /// Checks a record.
    package mutating func observe(_ record: LogRecord, of topic: Topic) {
        let type = Self.type(of: record)
        guard let problem = self.problem(with: record, of: topic, type) else { return }
        let position = RecordPosition(topic, record.topicPartition.partition, record.offset)
        self.defects.append(Defect(position: position, type: type, text: problem))
    }

    private mutating func problem(with record: LogRecord, of topic: Topic, _ type: String?) -> String? {
        switch topic {
        case .requests: return nil
        case .state: return Self.problem(withState: record)
        case .deadLetters:
            self.counts["dead-letter", default: 0] += 1
            return DeadLetterRule.headers.problem(in: Self.headers(of: record), .received)?.description
        case .resolved, .confirmed, .signals, .responses, .userActivities, .journal: break
        }
        guard let known = type.flatMap(EventType.init(rawValue:)) else {
            // A client may write any type; the stages after resolve only get those of the user's prompts.
            return "its type is not described"
        }
        let rule = EventRule.of(known)
        guard rule.topics.contains(topic) else { return "it belongs on \(rule.topics.map(\.rawValue)) alone" }
        if known.isInbound { return nil }
        self.counts[known.rawValue, default: 0] += 1
        return Self.problem(with: record, rule)
    }

    private static func problem(with record: LogRecord, _ rule: EventRule) -> String? {
        if let problem = rule.headers.problem(in: self.headers(of: record), .written) { return "header \(problem)" }
        guard let value = record.value, let json = try? JSONValue(parsing: value) else { return "its value is no JSON" }
        if let problem = ValueRule.object(rule.data).problem(in: json, .written) { return "\(problem)" }
        if json.utf8 != value { return "its members are not in order" }
        if record.header(EventHeaderName.userID) != record.key.map({ String(decoding: $0, as: UTF8.self) }) {
            return "its key is not the user"
        }
        return nil
    }

    private static func problem(withState record: LogRecord) -> String? {
        guard let key = record.key.flatMap(StateKey.init) else { return "its key names no entry" }
        // The head of a partition's chain is a bare digest; everything else is JSON.
        guard let value = record.value, key.name != StateKey.chain else { return nil }
        return (try? JSONValue(parsing: value)) == nil ? "its value is no JSON" : nil
    }

    /// The event's type; an event that is forwarded in structured mode, as a client wrote it, has it in its value.
    private static func type(of record: LogRecord) -> String? {
        let form = record.headers.last { $0.name.lowercased() == EventHeaderName.contentType }?.text
        if form?.lowercased().hasPrefix("application/cloudevents+json") ?? false, let value = record.value,
            let type = (try? JSONValue(parsing: value))?["type"]?.string
        {
            return type
        }
        return record.header(EventHeaderName.type)
    }

    private static func headers(of record: LogRecord) -> JSONObject {
        JSONObject(record.headers.map { (key: $0.name, value: $0.text.map(JSONValue.string) ?? .null) })
    }
}
