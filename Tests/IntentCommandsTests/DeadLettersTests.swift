import ArgumentParser
import IntentEvents
import IntentKit
import IntentLab
import IntentRecords
import IntentRuntime
import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("Dead letters are shown safely")
struct DeadLettersTests {
    private func letter(
        value: [UInt8]?,
        type: String = "intent.requested",
        detail: String = "It failed for 555-1234.",
        timestamp: Int64 = 1_000_000
    ) -> DeadLetter {
        let headers = [
            LogHeader("ce_type", type), LogHeader("ce_userid", "anna"), LogHeader("ce_subject", "i1"),
            LogHeader("raw", bytes: [0xFF, 0x41]), LogHeader("none", bytes: nil),
            LogHeader("intentd_error", "handlerFailed"),
            LogHeader("intentd_detail", detail), LogHeader("intentd_interaction", "i1"),
            LogHeader("intentd_request", "3:4"), LogHeader("kafka_dlt-original-topic", "intents.requests"),
            LogHeader("kafka_dlt-original-partition", "3"), LogHeader("kafka_dlt-original-offset", "4"),
            LogHeader("kafka_dlt-original-timestamp", "999000"), LogHeader("kafka_dlt-exception-message", detail),
        ]
        let record = LogRecord(
            topicPartition: TopicPartition("intents.dead-letters", 3),
            offset: 17,
            timestamp: timestamp,
            key: nil,
            value: value,
            headers: headers
        )
        return DeadLetter(record, prefix: "intents")
    }

    private let call =
        #"{"intent":{"name":"Call","parameters":{"phone":"555-1234","when":"13:30"}},"user":{"id":"anna"}}"#
    private let masking = Masking(["Call": ["phone"]])

    @Test("R40: sensitive values are masked in the event and in its error, unless revealed")
    func masksSensitiveValuesUnlessRevealed() {
        let letter = self.letter(value: Array(self.call.utf8))
        let masked = MaskedLetter(letter, self.masking)
        #expect(!masked.whole.description.contains("555"))
        #expect(!masked.lines.joined().contains("555"))
        #expect(masked.whole["value"]?["intent"]?["parameters"]?["when"] == "13:30")
        #expect(masked.summary["detail"] == "It failed for •••.")
        let revealed = MaskedLetter(letter, .revealed)
        #expect(revealed.whole["value"]?["intent"]?["parameters"]?["phone"] == "555-1234")
        #expect(revealed.lines.joined().contains("555-1234"))
    }

    @Test("R47: bytes that are not UTF-8 are shown escaped and move no cursor")
    func invalidUTF8IsEscaped() {
        let letter = self.letter(value: [0x7B, 0x1B, 0xC3, 0xA9, 0xFF, 0x0A])
        let nothing = Masking([String: Set<String>]())
        let shown = MaskedLetter(letter, nothing)
        #expect(shown.lines.contains("  {\\x1Bé\\xFF\\n"))
        #expect(shown.lines.contains("  raw: \\xFFA"))
        #expect(shown.lines.contains("  none: (null)"))
        #expect(shown.whole["base64"] == "exvDqf8K")
        #expect(shown.whole["headers"]?.array?.contains(["name": "raw", "base64": "/0E="]) == true)
        // When there are sensitive parameters, unreadable bytes may contain one.
        #expect(!MaskedLetter(letter, self.masking).lines.joined().contains("é"))
        #expect(MaskedLetter(letter, self.masking).whole["base64"] == nil)
        #expect(MaskedLetter(self.letter(value: nil), nothing).lines.last == "event: no value")
    }

    @Test("It shows where a dead letter came from and whose it was")
    func showsOriginAndUser() {
        let summary = MaskedLetter(self.letter(value: Array(self.call.utf8)), .revealed).summary
        #expect(summary["letter"] == "3/17")
        #expect(summary["from"] == "intents.requests/3/4")
        #expect(summary["request"] == "3:4")
        #expect(summary["intent"] == "Call")
        #expect(summary["user"] == "anna")
    }

    @Test(
        "Filters: all conditions have to hold",
        arguments: [
            (["error=handlerFailed", "user=anna"], true), (["error=malformed"], false), (["detail=failed for"], true),
            (["type=intent.requested", "intent=Call", "topic=requests", "interaction=i1"], true),
            (["stage=resolve"], true), (["stage=handle"], false), (["intent=Pay"], false),
            (["topic=resolved"], false), (["since=1970-01-01T00:16:40Z"], true),
            (["until=1970-01-01T00:16:39Z"], false),
            (["since=1h"], false), ([], true),
        ]
    )
    func filtersMustAllHold(conditions: [String], selects: Bool) throws {
        let letter = RecordedLetter(self.letter(value: Array(self.call.utf8)))
        #expect(try DeadLetterFilterOption.read(conditions).selects(letter) == selects)
    }

    @Test("R49: an invalid filter or name says what would be valid")
    func invalidFilterSaysWhatIsValid() async throws {
        #expect(throws: ValidationError.self) { try DeadLetterFilterOption.read(["eror=x"]) }
        #expect(throws: ValidationError.self) { try DeadLetterFilterOption.read(["error"]) }
        #expect(throws: ValidationError.self) { try DeadLetterFilterOption.read(["since=tomorrow"]) }
        #expect(throws: ValidationError.self) { try DeadLetterFilterOption.read(["error=crashed", "error=malformed"]) }
        #expect(throws: ValidationError.self) { try DeadLetterFilterOption.read(["error=handlerFailled"]) }
        #expect(throws: ValidationError.self) { try DeadLetterFilterOption.read(["stage=handel"]) }
        #expect(throws: ValidationError.self) { try DeadLetterName.argument("17") }
        #expect(try DeadLetterName("dead-letters/3/17") == DeadLetterName(partition: 3, offset: 17))
        for arguments in [
            ["redrive"], ["redrive", "--all", "3/17"], ["redrive", "--filter", "eror=x"], ["show"], ["show", "x"],
            ["list", "--filter", "error"], ["list", "--filter", "handled=maybe"], ["redrive", "--handled"],
            ["handle", "3/17"], ["handle", "--note", "x"], ["handle", "3/17", "--unhandled", "--note", "x"],
            ["handle", "3/17", "--note", "a\u{7}"],
        ] {
            #expect(await RootCommand.run(["dead-letters"] + arguments) == 64, "\(arguments)")
        }
        let directory = try TemporaryDirectory()
        #expect(await RootCommand.run(["dead-letters", "list", "--data", directory.path]) == 69)
    }
}
