import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime

/// Strange records, derived from valid ones; the same for the same seed.
struct StrangeRecords {
    private var numbers: SeededNumbers
    private let partitions = 3

    init(seed: UInt64) { self.numbers = SeededNumbers(seed: seed) }

    /// This many records, each partition's in their order.
    mutating func make(_ count: Int) -> [LogRecord] {
        let usual = Traffic(seed: self.numbers.next(), interactions: 40).records
        var next: [TopicPartition: Int64] = [:]
        return (0..<count)
            .map { _ in
                var record: LogRecord
                repeat {
                    record = usual.randomElement(using: &self.numbers)!
                    for _ in 0..<Int.random(in: 0...3, using: &self.numbers) { self.change(&record) }
                } while Self.isUpToChance(record)
                let offset = next[record.topicPartition, default: 0]
                record.offset = offset
                next[record.topicPartition] = offset + Int64.random(in: 1...3, using: &self.numbers)
                return record
            }
    }

    /// For a structured event with two users, the attributes in the error depended on the order of a dictionary.
    private static func isUpToChance(_ record: LogRecord) -> Bool {
        let topic = Topic(name: record.topicPartition.topic, prefix: Traffic.prefix)!
        let isStructured = record.headers.contains { $0.name.lowercased() == "content-type" }
        return isStructured && DecodedRecord(record, on: topic).defect?.code == .userMismatch
    }

    private mutating func change(_ record: inout LogRecord) {
        switch Int.random(in: 0..<12, using: &self.numbers) {
        case 0: record.key = self.pick([nil, [], Array("eve".utf8), [0xFF, 0x00], Array("user-1".utf8)])
        case 1: record.value = self.pick([nil, [], Array("[1]".utf8), Array("\"x\"".utf8), Array(Self.deep.utf8)])
        case 2, 3: record.value = self.spoilt(record.value ?? [])
        case 4, 5: self.changeMember(&record)
        case 6, 7: self.changeHeader(&record)
        case 8: record.headers.shuffle(using: &self.numbers)
        case 9: record.timestamp = self.pick([0, -1, .max, .min, 1_790_000_000_123])
        case 10:
            let topic = self.pick(Topic.allCases.filter(\.isRecorded))
            record.topicPartition.topic = topic.name(prefix: Traffic.prefix)
        default: self.structure(&record)
        }
    }

    /// The value with some bytes changed, removed or added.
    private mutating func spoilt(_ value: [UInt8]) -> [UInt8] {
        var value = value
        for _ in 0..<Int.random(in: 1...3, using: &self.numbers) {
            let start = Int.random(in: 0...value.count, using: &self.numbers)
            let bytes = Array(self.pick(Self.snippets))
            let end = min(value.count, start + Int.random(in: 0...2, using: &self.numbers))
            value.replaceSubrange(start..<end, with: bytes)
        }
        return value
    }

    /// Gives an important member another value, or the same one in another notation.
    private mutating func changeMember(_ record: inout LogRecord) {
        guard let value = record.value, var json = try? JSONValue(parsing: value), case .object(var members) = json
        else { return }
        let name = self.pick(members.keys.sorted() + Self.names)
        members[name] = self.pick(Self.values)
        json = .object(members)
        var text = json.description
        switch Int.random(in: 0..<4, using: &self.numbers) {
        case 0: text = text.replacing("\":", with: "\" : ")
        case 1: text = text.replacing("e\"", with: "\\u0065\"")
        case 2: text = "{\"\(name)\":1," + text.dropFirst()
        default: break
        }
        record.value = Array(text.utf8)
    }

    private mutating func changeHeader(_ record: inout LogRecord) {
        let header = LogHeader(
            self.pick(Self.headers),
            bytes: self.pick(Self.headerValues + record.headers.map(\.value))
        )
        guard let index = record.headers.indices.randomElement(using: &self.numbers) else {
            record.headers.append(header)
            return
        }
        switch Int.random(in: 0..<5, using: &self.numbers) {
        case 0: record.headers.remove(at: index)
        case 1: record.headers.insert(header, at: index)
        case 2: record.headers[index].value = header.value
        case 3: record.headers.append(record.headers[index])
        default: record.headers.append(header)
        }
    }

    /// Turns a record into a structured event.
    private mutating func structure(_ record: inout LogRecord) {
        var members: JSONObject = ["data": record.value.flatMap { try? JSONValue(parsing: $0) } ?? .null]
        for header in record.headers where header.name.hasPrefix("ce_") {
            members[String(header.name.dropFirst(3))] = header.text.map(JSONValue.string) ?? self.pick(Self.values)
        }
        if Bool.random(using: &self.numbers) { members["data"] = nil }
        record.value = JSONValue.object(members).utf8
        let type = self.pick([
            "application/cloudevents+json; charset=utf-8", "APPLICATION/CloudEvents+JSON", "text/plain",
        ])
        record.headers = [LogHeader(self.pick(["content-type", "Content-Type"]), type)]
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &self.numbers)! }

    private static let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
    private static let snippets: [[UInt8]] =
        [
            "", "\"", "\\", "{", "}", "[", "]", ",", ":", " ", "\n", "\\u0041", "\\ud83d\\ude00", "\\ud83d", "\\x", "0",
            "-", "1e400", "1.5e3", "9223372036854775808", "\u{0}", "\u{1F600}", "null", "true", "\"a\":1,",
        ]
        .map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80]]
    private static let names = [
        "user", "intent", "parameters", "terminal", "status", "code", "endReason", "phase", "kind", "promptId",
        "position",
        "event", "worker", "outcome", "at", "generation", "attempt", "opened", "handler", "previous", "interaction",
        "userInfo", "title", "activityType",
    ]
    private static let values: [JSONValue] = [
        .null, true, false, 0, -7, 1.5, 4, "", "x", "ended", "resolve", "h\u{e9}\"\\\n\u{1F600}", "requests/1/7",
        "requests/+1/7",
        "2026-11-21T12:30:00.000Z", "2026-02-30T12:30:00.000Z", "2026-11-21t12:30+01:00", [], [1, "a"], [:],
        ["id": "user-1"], ["id": "eve"], ["id": ""], ["name": "A", "version": "1"], ["type": "intent.requested"],
        ["name": "B", "parameters": ["z": 1, "a": ["\u{e9}": 1.0, "b": "\u{7}"]]], "i1/c/2", "i1/x/2",
        "intentConfirmation",
        .string(String(repeating: "7c", count: 32)), .integer(.max), .number(1e300),
    ]
    private static let headers = [
        "ce_id", "ce_type", "ce_source", "ce_time", "ce_subject", "ce_userid", "ce_causationid", "ce_stage",
        "ce_request",
        "content-type", "Content-Type", "traceparent", "ce_clientid", "x", "intentd_error", "ce_specversion",
    ]
    private static let headerValues: [[UInt8]?] =
        [
            "", "eve", "user-1", "intent.requested", "turn.journaled", "prompt.issued", "intent.responded", "resolve",
            "0:1",
            "1:-1", "+2:3", "x", "2026-11-21T12:30:00.000Z", "2026-02-30T12:30:00.000Z", "2026-11-21T12:30:60Z",
            "0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", "a\"b", "h\u{e9}",
            "0123456789abcdef0123456789abcdef",
            "0123456789ABCDEF0123456789abcdef", "application/json", "Application/CloudEvents+JSON",
            String(repeating: "a", count: 1025),
        ]
        .map { Array($0.utf8) } + [nil, [0xFF], [0x61, 0x00, 0x62]]
}
