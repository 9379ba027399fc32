import IntentEvents
import IntentKit
import Logging
import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("What a terminal shows")
struct TerminalTextTests {
    @Test("Lines are broken between words with a further indent, and nothing is lost")
    func wrapsLinesBetweenWords() {
        let wrap = WordWrap(width: 20)
        #expect(wrap.lines("short") == ["short"])
        #expect(
            wrap.lines("  one two three four five six") == ["  one two three four", "    five six"]
        )
        // A word longer than the line is on one of its own.
        #expect(wrap.lines("a " + String(repeating: "b", count: 30)).joined(separator: "|").contains("b|") == false)
        #expect(WordWrap(width: nil).lines(String(repeating: "x ", count: 100)).count == 1)
    }

    @Test("Colours take no columns, and wide characters take two")
    func coloursAndWideCharactersHaveWidth() {
        let style = TextStyle(isShown: true)
        #expect(TextWidth.columns(of: style.strong("four")) == 4)
        #expect(TextWidth.columns(of: "日本 ü e\u{301} €") == 10)
        #expect(WordWrap(width: 20).lines(style.bad("exactly twenty chars")).count == 1)
        #expect(WordWrap(width: 20).lines("日本語 日本語 日本語 日本語") == ["日本語 日本語 日本語", "  日本語"])
    }

    @Test("A table that is too wide continues on further lines in the same columns; no cell is broken")
    func wideTableContinuesInSameColumns() {
        var table = Table("A", "INTERACTION", ">N", "LAST")
        table.add("a", "0123456789abcdef", "7", "x")
        table.add(["b", "i", "10", "yy"], styles: [1: { "<\($0)>" }])
        #expect(
            table.lines == [
                "A  INTERACTION        N  LAST", "a  0123456789abcdef   7  x", "b  <i>                 10  yy",
            ]
        )
        #expect(
            table.lines(within: 22) == [
                "A  INTERACTION", "   N  LAST", "a  0123456789abcdef", "   7  x", "b  <i>", "  10  yy",
            ]
        )
        #expect(table.lines(within: 5).count == 12)
    }

    @Test("A cell of hundreds of characters widens its own row only")
    func longCellWidensItsOwnRowOnly() {
        var table = Table("INTENT", ">N")
        let long = String(repeating: "a", count: 500)
        table.add("Order", "10")
        table.add(long, "1")
        #expect(table.lines == ["INTENT   N", "Order   10", "\(long)   1"])
    }

    @Test("A cell with text from a client stays on its line")
    func hostileCellStaysOnItsLine() {
        var table = Table("USER")
        table.add("a\u{1B}[2J\nb\u{202E}")
        #expect(table.lines == ["USER", "a\\x1B[2J\\nb\\u{202e}"])
    }

    @Test("Without colours the text is unchanged")
    func plainTextHasNoEscapes() {
        #expect(TextStyle(isShown: false).good("✓ success") == "✓ success")
        #expect(TextStyle(isShown: true).good("✓") == "\u{1B}[32m✓\u{1B}[0m")
        #expect(TextStyle(isShown: true).strong("") == "")
    }

    @Test("Text from clients and handlers cannot control the terminal")
    func escapesControlCharacters() {
        let event = Event(
            id: "1",
            source: "/test",
            type: .promptIssued,
            time: Timestamp(milliseconds: 0),
            userID: "anna",
            data: ["kind": "needsValue", "dialog": "Who?\u{1B}[2J", "options": ["a\u{7}b"]]
        )
        let text = ConversationText(masking: .revealed, style: TextStyle(isShown: false))
        #expect(text.lines(event) == ["Who?\\x1B[2J", "  1  a\\x07b"])
    }

    @Test("R71: options are shown by title and subtitle, in a conversation as in a line about the event")
    func showsOptionsByTitleAndSubtitle() {
        let event = Event(
            id: "1",
            source: "/test",
            type: .promptIssued,
            time: Timestamp(milliseconds: 0),
            userID: "anna",
            data: [
                "kind": "disambiguation", "dialog": "Which?", "options": ["p-7", "p-9"],
                "optionDisplays": [["title": "Bello", "subtitle": "Dach\u{1B}shund"], ["title": "Minka"]],
            ]
        )
        let text = ConversationText(masking: .revealed, style: TextStyle(isShown: false))
        #expect(text.lines(event) == ["Which?", "  1  Bello (Dach\\x1Bshund)", "  2  Minka"])
        #expect(EventSummary.text(event).hasSuffix("[Bello (Dach\u{1B}shund) | Minka]"))
    }

    @Test("R79: warnings are shown below what they came with")
    func showsWarnings() {
        let event = Event(
            id: "1",
            source: "/test",
            type: .promptIssued,
            time: Timestamp(milliseconds: 0),
            userID: "anna",
            data: ["dialog": "Who?", "kind": "needsValue", "warnings": [["detail": "usr is not read."]]]
        )
        let text = ConversationText(masking: .revealed, style: TextStyle(isShown: false))
        #expect(text.lines(event) == ["Who?", "  warning: usr is not read."])
    }

    @Test("R73d: what was understood is shown once, and nothing of a sensitive value")
    func showsWhatWasUnderstoodOnce() {
        func event(_ understood: JSONValue, kind: JSONValue = "needsValue") -> Event {
            Event(
                id: "1",
                source: "/test",
                type: .promptIssued,
                time: Timestamp(milliseconds: 0),
                userID: "anna",
                data: ["kind": kind, "dialog": "When?", "understood": understood]
            )
        }
        let day: JSONValue = ["said": "tomorrow", "value": "2026-12-04", "display": ["title": "Fri\u{1B}day"]]
        let days: JSONValue = [["display": ["title": "Monday"]], ["display": ["title": "Tuesday"]]]
        let text = ConversationText(masking: Masking(["Pay": ["pin"]]), style: TextStyle(isShown: false))
        #expect(text.understood(event(["day": day, "pin": day]), after: nil) == ["  day: Fri\\x1Bday", "  pin: •••"])
        #expect(text.understood(event(["day": day, "days": days]), after: ["day": day]) == ["  days: Monday, Tuesday"])
        #expect(text.understood(event(["day": day], kind: "intentConfirmation"), after: nil).isEmpty)
    }

    @Test("A refused sensitive value is asked for again with the reason, without the value")
    func refusedSensitiveValueIsNotRepeated() {
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
        let text = ConversationText(masking: Masking(["Pay": ["card"]]), style: TextStyle(isShown: false))
        #expect(text.lines(event) == ["card? (expired)"])
    }

    /// How a response is shown.
    private static func lines(ofResponse data: JSONObject, _ masking: Masking) -> [String] {
        let event = Event(
            id: "1",
            source: "/test",
            type: .intentResponded,
            time: Timestamp(milliseconds: 0),
            userID: "anna",
            data: .object(data)
        )
        return ConversationText(masking: masking, style: TextStyle(isShown: false)).lines(event)
    }

    @Test("R74: a report shows how far the task is, and what is being done unless values are masked")
    func showsProgress() {
        func lines(_ progress: JSONValue, _ masking: Masking = .revealed, _ more: JSONObject = [:]) -> [String] {
            var data: JSONObject = [
                "terminal": false, "status": "inProgress", "code": "inProgress", "progress": progress,
            ]
            data.merge(more) { $1 }
            return Self.lines(ofResponse: data, masking)
        }
        #expect(lines(["fraction": 0.4, "text": "Comparing"]) == ["… inProgress 40 % Comparing"])
        #expect(lines(["fraction": 0.4, "text": "Comparing"], Masking(["Pay": ["card"]])) == ["… inProgress 40 %"])
        #expect(lines([:]) == ["… inProgress"])
        let more: JSONObject = ["dialog": "That is being checked.", "response": ["card": "4111", "order": 17]]
        let shown = lines([:], .revealed, more)
        #expect(shown == ["… inProgress", "That is being checked.", "  card: 4111", "  order: 17"])
        let masked = lines([:], Masking(["Pay": ["card"]]), more)
        #expect(masked == ["… inProgress", "  card: •••", "  order: 17"])
    }

    @Test("The effects made before an interaction failed are shown, and whether they are all")
    func showsEffectsOfFailedInteraction() {
        func lines(_ status: JSONValue, sensitive: Set<String> = [], _ more: JSONObject = [:]) -> [String] {
            var data: JSONObject = [
                "terminal": true, "status": status, "code": status, "endReason": "timeout",
                "effects": ["flight", "hotel"],
            ]
            data.merge(more) { $1 }
            return Self.lines(ofResponse: data, Masking(["Pay": sensitive]))
        }
        #expect(lines("failure") == ["✗ failure (timeout)", "  effects made despite the failure: flight, hotel"])
        #expect(lines("failure", sensitive: ["card"]).last == "  effects made despite the failure: •••")
        #expect(
            lines("failure", ["effects": [], "effectsIncomplete": true]).dropFirst() == [
                "  more may have been done than is known"
            ]
        )
        #expect(lines("success").count == 1)
    }

    @Test("A log line in JSON is one object")
    func jsonLogLineIsOneObject() throws {
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

    @Test("A misspelt command suggests the intended one, and exits with 64")
    func misspeltCommandSuggestsAndExitsWith64() async {
        #expect(await RootCommand.run(["lst"]) == ExitStatus.usage.rawValue)
        #expect(await RootCommand.run(["topics", "creat"]) == ExitStatus.usage.rawValue)
    }

    @Test("A program of another name refers to its own commands")
    func programOfOtherNameNamesOwnCommands() {
        let text = "there is none: `intentd list` shows those; intentd itself is the library"
        #expect(ProgramName.naming(text) == text)
        ProgramName.$current.withValue("lemonade") {
            #expect(
                ProgramName.naming(text)
                    == "there is none: `lemonade list` shows those; intentd itself is the library"
            )
        }
    }

    @Test(
        "The shell is offered intents, and the parameters and known values of the one that is named"
    )
    func completesIntentsParametersAndValues() {
        let words = ["ask", "--samples", "INRequestRideIntent", ""]
        let (intents, values) = HandlerSources.$current.withValue(.intentd) {
            (AskCompletion.intents(words, 3, ""), AskCompletion.values(words, 3, ""))
        }
        #expect(intents.contains("INRequestRideIntent"))
        #expect(values.contains("pickupLocation=") && values.allSatisfy { !$0.contains(" ") })
        #expect(AskCompletion.values(["ask", "--samples", ""], 2, "").isEmpty)
        #expect(AskCompletion.intents(["ask", "--config", "/nowhere.yaml", ""], 3, "").isEmpty)
    }
}
