import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("Editing a line")
struct EditedLineTests {
    private static let completion = LineCompletion(
        answers: ["Old Mill", "Old Barn", "cancel"],
        corrections: [("people", []), ("place", ["inside", "outside"])]
    )

    /// Types bytes as a terminal sends them; returns the line and what the last key came to.
    private static func type(
        _ text: String,
        into line: EditedLine = EditedLine(),
        _ completion: LineCompletion = completion
    ) -> (line: EditedLine, outcome: EditedLine.Outcome) {
        var (line, parser) = (line, TerminalKeyParser())
        var outcome = EditedLine.Outcome.edited
        for byte in text.utf8 {
            guard let key = parser.take(byte) else { continue }
            outcome = line.take(key, completion)
        }
        return (line, outcome)
    }

    @Test(
        "Keys do what they do in other line editors",
        arguments: [
            ("abc", "abc", 3), ("abc\u{1B}[D\u{1B}[DX", "aXbc", 2), ("abc\u{7F}", "ab", 2), ("abc\u{1}X", "Xabc", 1),
            ("abc\u{1}\u{1B}[3~", "bc", 0), ("abc\u{1}\u{5}X", "abcX", 4), ("ab cd\u{17}", "ab ", 3),
            ("ab cd\u{1B}b\u{B}", "ab ", 3), ("ab cd\u{15}", "", 0), ("ab cd\u{1}\u{1B}fX", "abX cd", 3),
            ("ab\u{1B}[HX\u{1B}[FY", "XabY", 4), ("ab\u{1B}OHX", "Xab", 1), ("abc\u{1B}[1;5DX", "Xabc", 1),
            ("übermorgen\u{1B}[D\u{7F}", "übermorgn", 8), ("12 €", "12 €", 4), ("ab\u{2}\u{4}", "a", 1),
        ]
    )
    func keysEditAsInOtherLineEditors(typed: String, text: String, cursor: Int) {
        let line = Self.type(typed).line
        #expect(line.text == text)
        #expect(line.cursor == cursor)
    }

    @Test(
        "Characters that would control a terminal do not get into a line",
        arguments: ["\u{1B}[31;1;1m", "\u{0}\u{7}", "\u{202E}", "\u{9B}"]
    )
    func controlCharactersAreIgnored(typed: String) {
        #expect(Self.type("a\(typed)b").line.text == "ab")
    }

    @Test("Bytes that form no character are skipped, whatever follows")
    func skipsIncompleteUTF8() {
        var (line, parser) = (EditedLine(), TerminalKeyParser())
        for byte in [0x61, 0xC3, 0x62, 0xFF, 0xE2, 0x82, 0x63] as [UInt8] {
            if let key = parser.take(byte) { _ = line.take(key) }
        }
        #expect(line.text == "abc")
    }

    @Test("A combining accent joins its letter, and is removed with it")
    func combiningAccentsStayWithTheirLetter() {
        #expect(Self.type("e\u{301}").line.cursor == 1)
        #expect(Self.type("e\u{301}x\u{7F}\u{7F}").line.text == "")
    }

    @Test("Enter ends the line; Ctrl-D ends the input, but only on an empty line")
    func enterEndsLineAndControlDEndsInput() {
        #expect(Self.type("yes\r").outcome == .entered("yes"))
        #expect(Self.type("\u{4}").outcome == .ended)
        #expect(Self.type("a\u{1}\u{4}").outcome == .edited)
    }

    @Test("The arrow keys go through earlier lines, and back to the current one")
    func arrowKeysMoveThroughHistory() {
        let line = EditedLine(history: ["one", "two"])
        #expect(Self.type("x\u{1B}[A", into: line).line.text == "two")
        #expect(Self.type("x\u{1B}[A\u{1B}[A", into: line).line.text == "one")
        #expect(Self.type("x\u{1B}[A\u{1B}[A\u{1B}[A", into: line).outcome == .refused)
        #expect(Self.type("x\u{10}\u{10}\u{E}\u{E}", into: line).line.text == "x")
    }

    @Test("Tab completes a unique line, or the common prefix of several, and else lists them")
    func tabCompletesCommonPrefixOrLists() {
        #expect(Self.type("c\t").line.text == "cancel")
        #expect(Self.type("old\t").line.text == "Old ")
        #expect(Self.type("old \t").outcome == .choices(["Old Mill", "Old Barn"]))
        #expect(Self.type("old m\t").line.text == "Old Mill")
        #expect(Self.type("pl\t").line.text == "place=")
        #expect(Self.type("place=o\t").line.text == "place=outside")
        #expect(Self.type("p\t").outcome == .choices(["people=", "place="]))
        #expect(Self.type("x\t").outcome == .refused)
        #expect(Self.type("\t").outcome == .choices(["Old Mill", "Old Barn", "cancel", "people=", "place="]))
    }

    @Test("A line that is longer than the screen is shown around the cursor, with wide characters as two columns")
    func longLineScrollsAroundCursor() {
        func shown(_ typed: String, _ columns: Int) -> String {
            let (text, cursor) = Self.type(typed).line.window(columns: columns)
            return "\(text) \(cursor)"
        }
        #expect(shown("0123456789", 20) == "0123456789 10")
        #expect(shown("0123456789", 5) == "6789 4")
        #expect(shown("0123456789\u{1}", 5) == "01234 0")
        #expect(shown("日本語日本語", 5) == "本語 4")
    }
}
