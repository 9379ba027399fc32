#if DEBUG || FUZZING
@testable import IntentEvents
import IntentEvents
@testable import IntentKit
@testable import IntentRuntime
@testable import IntentLab

/// One line of an input as a record: in structured mode if it begins with a brace, otherwise headers and a value.
///
/// Headers are `name:value`, each followed by a record separator (0x1E). The value follows a unit separator (0x1F);
/// without one the record has no value.
struct FuzzedEvent {
    private var headers: [LogHeader]
    private var value: [UInt8]?

    /// Reads a line.
    init(line: ArraySlice<UInt8>) {
        guard line.first != UInt8(ascii: "{") else {
            self.headers = [LogHeader("content-type", "application/cloudevents+json")]
            self.value = Array(line)
            return
        }
        let parts = line.split(separator: 0x1F, maxSplits: 1, omittingEmptySubsequences: false)
        self.headers = parts[0].split(separator: 0x1E)
            .map { header in
                let pair = header.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
                return LogHeader(String(decoding: pair[0], as: UTF8.self), bytes: pair.count > 1 ? Array(pair[1]) : nil)
            }
        self.value = parts.count > 1 ? Array(parts[1]) : nil
    }

    /// Wraps an event that was generated from the wire's own descriptions.
    init(_ record: EventMaker.Record) {
        self.headers = record.headers
        self.value = record.value
    }

    private init(json: String) {
        self.headers = [LogHeader("content-type", "application/cloudevents+json")]
        self.value = Array(json.utf8)
    }

    /// A request that ends with success, whatever was before it.
    static func good(user: UserID) -> FuzzedEvent {
        let data: JSONValue = [
            "type": "intent.requested",
            "data": ["intent": ["name": "Fuzz.Note"], "user": ["id": user.json]],
        ]
        return FuzzedEvent(json: String(decoding: data.utf8, as: UTF8.self))
    }

    /// The record on `requests`.
    func record(offset: Int64) -> LogRecord {
        LogRecord(
            topicPartition: TopicPartition("intents.requests", 0),
            offset: offset,
            timestamp: 1_795_000_000_000,
            key: nil,
            value: self.value,
            headers: self.headers
        )
    }

    /// The record that a client writes to a partition of `requests`.
    func outgoing(partition: Int) -> OutgoingRecord {
        OutgoingRecord(
            topicPartition: TopicPartition("intents.requests", partition),
            key: nil,
            value: self.value,
            headers: self.headers
        )
    }

    /// A number derived from an input alone: 64-bit FNV-1a.
    static func seed(of input: [UInt8]) -> UInt64 {
        input.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// Whether no response is required.
    ///
    /// A client's retry is ignored (R8), and so are events that only intentd may write (R14). News of devices and
    /// sign-ins is never rejected (R12), and vocabularies change what comes after them.
    static func maySayNothing(_ result: TurnResult) -> Bool {
        switch EventType(rawValue: result.record.eventType) {
        case .intentRequested: result.record.request != nil && !result.record.opened
        case .deviceUnlocked, .userAuthenticated: true
        case .vocabularyReplaced, .vocabularyRemoved: result.record.outcome == .noted
        case .some(let type): !type.isInbound
        case nil: false
        }
    }
}
#endif
