import IntentEvents
import IntentKit
import IntentRuntime
import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("Records as `tail` shows them")
struct RecordLineTests {
    @Test("R48: the deployment's key for redriven requests is never shown; other entries are shown on request")
    func redriveKeyIsNeverShown() {
        func line(_ key: String, _ masking: Masking) -> String {
            let record = LogRecord(
                topicPartition: TopicPartition("intents.state", 0),
                offset: 0,
                timestamp: 0,
                key: Array(key.utf8),
                value: Array("{\"value\":\"53c237\"}".utf8),
                headers: []
            )
            let line = RecordLine(prefix: "intents", masking: masking)
            return line.text(record) + line.json(record).description
        }
        #expect(!line("//redrive/0123", .revealed).contains("53c237"))
        #expect(line("//store/0123", .revealed).contains("53c237"))
        #expect(line("resolve/ada/redrive/0", .revealed).contains("53c237"))
    }

    private static func record(_ topic: Topic, _ type: EventType, _ data: JSONValue, user: UserID = "ada") -> LogRecord
    {
        let event = Event(
            id: "1",
            source: "/test",
            type: type,
            time: Timestamp(milliseconds: 0),
            subject: "i-1",
            userID: user,
            data: data
        )
        let partition = TopicPartition(topic.name(prefix: "intents"), 0)
        return LogRecord(topicPartition: partition, offset: 7, timestamp: 0, content: event.content)
    }

    @Test(
        "R40: an answer is masked like the parameter that its prompt asked for, and entirely if the prompt is unknown"
    )
    func answersAreMaskedByTheirPrompt() {
        var line = RecordLine(prefix: "intents", masking: Masking(["Call": ["phone"]]))
        func prompt(_ id: String, _ parameter: String) -> LogRecord {
            Self.record(
                .responses,
                .promptIssued,
                [
                    "promptId": .string(id), "kind": "needsValue", "parameter": .string(parameter),
                    "intent": ["name": "Call"],
                ]
            )
        }
        func answer(_ id: String) -> LogRecord {
            Self.record(.requests, .promptAnswered, ["promptId": .string(id), "action": "accept", "value": "555-1234"])
        }
        #expect(!line.text(answer("i-1/r/1")).contains("555"))
        for record in [prompt("i-1/r/1", "when"), prompt("i-1/r/2", "phone")] { line.record(record) }
        #expect(line.text(answer("i-1/r/1")).contains("555-1234"))
        #expect(!line.text(answer("i-1/r/2")).contains("555"))
        #expect(line.json(answer("i-1/r/1")).description.contains("555-1234"))
        #expect(!line.json(answer("i-1/r/1")).description.contains("\"intent\""))
    }

    @Test("R79: warnings are shown in words with prompts, responses and rejections, and counted with turns")
    func showsWarnings() {
        let line = RecordLine(prefix: "intents", masking: .revealed)
        let warnings: JSONValue = [["detail": "usr is not read; did you mean user?", "member": "usr"]]
        for type in [EventType.promptIssued, .intentResponded, .eventRejected] {
            let text = line.text(Self.record(.responses, type, ["warnings": warnings]))
            #expect(text.hasSuffix("(warnings: usr is not read; did you mean user?)"), "\(text)")
            #expect(!line.text(Self.record(.responses, type, [:])).contains("warnings"))
        }
        let turn = line.text(Self.record(.journal, .turnJournaled, ["outcome": "noted", "warnings": warnings]))
        #expect(turn.hasSuffix("noted 1 warning"))
    }

    @Test("Text from clients cannot control the terminal")
    func clientTextCannotControlTerminal() {
        let line = RecordLine(prefix: "intents", masking: .revealed)
        let data: JSONValue = ["intent": ["name": "A\u{1B}[2J", "parameters": ["p": "\u{202E}x\ny"]]]
        let text = line.text(Self.record(.requests, .intentRequested, data))
        #expect(text.contains("A\\x1B[2J") && text.contains("\\u{202e}x\\ny"))
        #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }
}
