import IntentKit
import Testing

@Suite("R47: errors in JSON, and their positions")
struct JSONErrorTests {
    /// Texts that are refused three deep, and why.
    private static let refused: [(text: String, why: String)] = [
        ("", "the text ends where a value should be at byte 0"),
        (" ", "the text ends where a value should be at byte 1"),
        ("{", "expected a member's name in quotes at byte 1"),
        ("[", "the text ends where a value should be at byte 1"),
        ("[1", "expected a comma or the array's end at byte 2"),
        ("[1,", "the text ends where a value should be at byte 3"),
        ("[1,]", "no JSON value starts like this at byte 3"),
        ("[1 2]", "expected a comma or the array's end at byte 3"),
        ("{\"a\"", "expected a colon after the member's name at byte 4"),
        ("{\"a\" 1}", "expected a colon after the member's name at byte 5"),
        ("{\"a\":", "the text ends where a value should be at byte 5"),
        ("{\"a\":1", "expected a comma or the object's end at byte 6"),
        ("{\"a\":1,}", "expected a member's name in quotes at byte 7"),
        ("{\"a\":1 \"b\":2}", "expected a comma or the object's end at byte 7"),
        ("{1:2}", "expected a member's name in quotes at byte 1"),
        ("{,}", "expected a member's name in quotes at byte 1"),
        ("nul", "expected null at byte 3"),
        ("nulL", "expected null at byte 3"),
        ("trux", "expected true at byte 3"),
        ("falsy", "expected false at byte 4"),
        ("True", "no JSON value starts like this at byte 0"),
        ("1 2", "text after the value at byte 2"),
        ("[1]]", "text after the value at byte 3"),
        ("01", "a number does not start with 0 at byte 2"),
        ("-", "expected a digit at byte 1"),
        ("-x", "expected a digit at byte 1"),
        ("-01", "a number does not start with 0 at byte 3"),
        ("1.", "expected a digit at byte 2"),
        ("1.x", "expected a digit at byte 2"),
        ("1e", "expected a digit at byte 2"),
        ("1e+", "expected a digit at byte 3"),
        ("1E-x", "expected a digit at byte 3"),
        ("+1", "no JSON value starts like this at byte 0"),
        (".5", "no JSON value starts like this at byte 0"),
        ("1e400", "a number beyond 64-bit floats at byte 5"),
        ("-1e999", "a number beyond 64-bit floats at byte 6"),
        ("\"a", "a string without its closing quote at byte 2"),
        ("\"a\\", "a string without its closing quote at byte 3"),
        ("\"a\\x\"", "an unknown escape in a string at byte 4"),
        ("\"\\u12\"", "expected four hexadecimal digits at byte 5"),
        ("\"\\u12G4\"", "expected four hexadecimal digits at byte 5"),
        ("\"a\u{01}\"", "a control character inside a string at byte 2"),
        ("\"0123456789\nabc\"", "a control character inside a string at byte 11"),
        ("\"\\ud83e\"", "half a surrogate pair in a string at byte 7"),
        ("\"\\ud83e\\n\"", "half a surrogate pair in a string at byte 8"),
        ("\"\\ud83e\\u0041\"", "half a surrogate pair in a string at byte 13"),
        ("\"\\ud83e\\u00\"", "expected four hexadecimal digits at byte 11"),
        ("\"\\udd84\"", "half a surrogate pair in a string at byte 7"),
        ("[[[[1]]]]", "nested deeper than 3 at byte 3"),
        ("{\"a\":{\"a\":{\"a\":{}}}}", "nested deeper than 3 at byte 15"),
        ("'a'", "no JSON value starts like this at byte 0"),
    ]

    @Test("Each text is refused for its first error, at its position", arguments: Self.refused)
    func refusesFirstErrorAtItsPlace(text: String, why: String) {
        let error = #expect(throws: JSONParsingError.self) {
            try JSONValue(parsing: Array(text.utf8), maximumDepth: 3)
        }
        #expect(error?.description == why)
    }

    @Test("A text that is cut off anywhere is refused")
    func refusesTextCutAnywhere() throws {
        let text = Array(#" {"a" : [1, -2.5e-3, "\ud83e\udd84 é🦄", {"b": {"c": null}}], "d": [true, false, []]} "#.utf8)
        _ = try JSONValue(parsing: text)
        for end in 0..<(text.count - 1) {
            #expect(throws: JSONParsingError.self) { try JSONValue(parsing: text[..<end]) }
        }
    }

    @Test("Invalid UTF-8 is the reported error, whatever else is wrong before or after it")
    func invalidUTF8IsReportedFirst() {
        // An overlong form, a surrogate, beyond the last scalar, a truncated character, a continuation byte alone.
        let invalid: [[UInt8]] = [
            [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0xA6], [0x80],
            [0xC3, 0x28], [0xE2, 0x28, 0xA1], [0xF0, 0x9F, 0x28, 0x8C],
        ]
        let around: [(before: String, behind: String)] = [
            (#"["é🦄日", ""#, #""]"#), ("[", "]"), ("", ""), (#"{"a" 1, ""#, ""), (#"["\x", ""#, ""), ("[1 2] ", ""),
            (#"{""#, #"":1}"#),
        ]
        for (before, behind) in around {
            for bytes in invalid {
                let text = Array(before.utf8) + bytes + Array(behind.utf8)
                let error = #expect(throws: JSONParsingError.self) { try JSONValue(parsing: text) }
                #expect(error?.description == "the text is not UTF-8 at byte \(before.utf8.count)")
            }
        }
    }

    @Test(
        "Characters at the edges of UTF-8's lengths are read",
        arguments: [0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF]
    )
    func readsCharactersAtEdgesOfUTF8(scalar: UInt32) throws {
        let text = String(try #require(Unicode.Scalar(scalar)))
        for padding in 0...9 {
            let string = String(repeating: "x", count: padding) + text
            #expect(try JSONValue(parsing: "[\"\(string)\"]") == [.string(string)])
            #expect(try JSONValue(parsing: "{\"\(string)\":1}") == .object([string: 1]))
        }
    }

    @Test("Many values in few bytes are read like any others")
    func readsManyValuesInFewBytes() throws {
        for count in [1, 30, 31, 32, 62, 63, 64, 1_000, 100_000] {
            let text = "[" + Array(repeating: "1", count: count).joined(separator: ",") + "]"
            #expect(try JSONValue(parsing: text) == .array(Array(repeating: 1, count: count)))
            let error = #expect(throws: JSONParsingError.self) { try JSONValue(parsing: text.dropLast().utf8) }
            #expect(error?.description == "expected a comma or the array's end at byte \(text.utf8.count - 1)")
        }
        let error = #expect(throws: JSONParsingError.self) {
            try JSONValue(parsing: Array(repeating: UInt8(ascii: "["), count: 10_000), maximumDepth: .max)
        }
        #expect(error?.description == "the text ends where a value should be at byte 10000")
    }
}
