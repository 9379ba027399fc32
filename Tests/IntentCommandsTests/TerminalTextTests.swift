import IntentEvents
import IntentKit
import Logging
import Testing

@testable import IntentCommands

@Suite("What a terminal shows")
struct TerminalTextTests {
    @Test("Lines are broken between words, indented further, and nothing is lost")
    func wrapping() {
        let wrap = WordWrap(width: 20)
        #expect(wrap.lines("short") == ["short"])
        #expect(
            wrap.lines("  one two three four five six") == ["  one two three four", "    five six"]
        )
        // A word longer than the line stands on one of its own.
        #expect(wrap.lines("a " + String(repeating: "b", count: 30)).joined(separator: "|").contains("b|") == false)
        #expect(WordWrap(width: nil).lines(String(repeating: "x ", count: 100)).count == 1)
    }

    @Test("Without colours text is as it was")
    func plain() {
        #expect(TextStyle(isShown: false).good("✓ success") == "✓ success")
        #expect(TextStyle(isShown: true).good("✓") == "\u{1B}[32m✓\u{1B}[0m")
        #expect(TextStyle(isShown: true).strong("") == "")
    }

    @Test("What a client or handler wrote cannot steer the terminal")
    func escapes() {
        let event = Event(
            id: "1",
            source: "/test",
            type: .promptIssued,
            time: Timestamp(milliseconds: 0),
            userID: "anna",
            data: ["kind": "needsValue", "dialog": "Who?\u{1B}[2J", "options": ["a\u{7}b"]]
        )
        let text = ConversationText(sensitiveParameters: [], style: TextStyle(isShown: false))
        #expect(text.lines(event) == ["Who?\\x1B[2J", "  1  a\\x07b"])
    }

    @Test("A refused sensitive value is asked for again with the reason, not with the value")
    func sensitive() {
        let event = Event(
            id: "1",
            source: "/test",
            type: .promptIssued,
            time: Timestamp(milliseconds: 0),
            userID: "anna",
            data: [
                "kind": "unsupported", "parameter": "card", "dialog": "4111 is no card.", "reason": ["name": "expired"],
            ]
        )
        let text = ConversationText(sensitiveParameters: ["card"], style: TextStyle(isShown: false))
        #expect(text.lines(event) == ["card? (expired)"])
    }

    @Test("A log line for machines is one JSON object")
    func jsonLog() throws {
        let line = JSONLogHandler.line(
            at: Timestamp(milliseconds: 1_000),
            level: .warning,
            label: "intentd.kafka",
            message: "a \"quoted\"\nmessage",
            metadata: ["error": "x", "list": ["a", "b"]]
        )
        let json = try JSONValue(parsing: Array(line.utf8))
        #expect(line.hasSuffix("\n") && line.filter(\.isNewline).count == 1)
        #expect(json["message"] == "a \"quoted\"\nmessage")
        #expect(json["level"] == "warning")
        #expect(json["metadata"] == ["error": "x", "list": ["a", "b"]])
        #expect(json["time"]?.string?.hasPrefix("1970-01-01T00:00:01") ?? false)
    }

    @Test("A misspelt command is answered with the one that was meant, and status 64")
    func commands() async {
        #expect(await RootCommand.run(["lst"]) == ExitStatus.usage.rawValue)
        #expect(await RootCommand.run(["topics", "creat"]) == ExitStatus.usage.rawValue)
    }
}
