import IntentEvents
import IntentKit
import IntentRuntime
import Testing

@testable import IntentCommands

@Suite("Records as tail shows them")
struct RecordLineTests {
    @Test("R48: the deployment's key for redriven requests is shown to nobody, other entries to who asks")
    func secret() {
        func line(_ key: String, _ sensitive: SensitiveParameters?) -> String {
            let record = LogRecord(
                topicPartition: TopicPartition("intents.state", 0),
                offset: 0,
                timestamp: 0,
                key: Array(key.utf8),
                value: Array("{\"value\":\"53c237\"}".utf8),
                headers: []
            )
            let line = RecordLine(prefix: "intents", sensitive: sensitive)
            return line.text(record) + line.json(record).description
        }
        #expect(!line("//redrive/0123", nil).contains("53c237"))
        #expect(line("//store/0123", nil).contains("53c237"))
        #expect(line("resolve/ada/redrive/0", nil).contains("53c237"))
    }
}
