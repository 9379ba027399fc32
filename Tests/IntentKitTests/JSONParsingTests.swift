import IntentKit
import IntentLab
import Testing

@Suite("R47: reading JSON")
struct JSONParsingTests {
    @Test(
        "Values",
        arguments: [
            ("null", .null), (" true ", true), ("false", false), ("0", 0), ("-0", 0), ("-12", -12), ("1.5", 1.5),
            ("1e2", 100.0), ("2E-2", 0.02), (#""a""#, "a"), ("[]", []), ("[1,[2]]", [1, [2]]), ("{}", [:]),
            (#"{"a":{"b":null}}"#, ["a": ["b": .null]]), ("\t[\r\n1 , 2 ]\n", [1, 2]),
        ] as [(String, JSONValue)]
    )
    func readsValues(text: String, expected: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == expected)
    }

    @Test(
        "Invalid JSON is refused",
        arguments: [
            "", " ", "nul", "tru", "True", "[1,]", "[1 2]", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}", "[", "{",
            "\"a",
            "01", "-", "1.", ".5", "1e", "+1", "NaN", "1 2", "[1]]", "\"\\x\"", "\"\\u12\"", "\"\\u12G4\"", "\"\u{1}\"",
            "\"a\nb\"", "1e400", "'a'", "\u{FEFF}1",
        ]
    )
    func refusesInvalidJSON(text: String) {
        #expect(throws: JSONParsingError.self) { try JSONValue(parsing: text) }
    }

    @Test("Integers of 64 bits are exact, larger ones become floating-point numbers")
    func largeIntegersBecomeFloats() throws {
        #expect(try JSONValue(parsing: "9223372036854775807") == .integer(.max))
        #expect(try JSONValue(parsing: "-9223372036854775808") == .integer(.min))
        #expect(try JSONValue(parsing: "9223372036854775808") == .number(9_223_372_036_854_775_808))
        #expect(try JSONValue(parsing: "9007199254740993") == .integer(9_007_199_254_740_993))
    }

    @Test("Of two members with one name the last counts")
    func lastMemberOfANameCounts() throws {
        #expect(try JSONValue(parsing: #"{"a":1,"b":2,"a":3}"#) == ["a": 3, "b": 2])
    }

    @Test(
        "Escapes and surrogate pairs",
        arguments: [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u20AC""#, "Aé€"),
            (#""\ud83e\udd84!""#, "🦄!"), (#""\u0000""#, "\0"), (#""🦄""#, "🦄"), (#""é\n""#, "é\n"),
        ]
    )
    func readsEscapesAndSurrogatePairs(text: String, expected: String) throws {
        #expect(try JSONValue(parsing: text) == .string(expected))
    }

    @Test(
        "Half a surrogate pair is refused",
        arguments: [#""\ud83e""#, #""\udd84""#, #""\ud83ex""#, #""\ud83e\u0041""#]
    )
    func refusesHalfASurrogatePair(text: String) {
        #expect(throws: JSONParsingError.self) { try JSONValue(parsing: text) }
    }

    @Test(
        "Invalid UTF-8 is refused with its position",
        arguments: [
            ([0x22, 0xFF, 0x22], 1), ([0x22, 0x41, 0xC3, 0x22], 2), ([0x22, 0xED, 0xA0, 0x80, 0x22], 1),
            ([0x22, 0xC0, 0x80, 0x22], 1), ([0x22, 0xC3, 0xA9, 0xF5, 0x22], 3),
        ] as [([UInt8], Int)]
    )
    func refusesInvalidUTF8WithPosition(bytes: [UInt8], offset: Int) {
        let error = #expect(throws: JSONParsingError.self) { try JSONValue(parsing: bytes) }
        #expect(error?.offset == offset)
        #expect(error?.message == "the text is not UTF-8")
    }

    @Test("A depth of 128 is accepted, and any greater one refused")
    func boundsDepth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        func objects(_ depth: Int) -> String {
            String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
        }
        _ = try JSONValue(parsing: nested(128))
        _ = try JSONValue(parsing: objects(128))
        #expect(throws: JSONParsingError.self) { try JSONValue(parsing: nested(129)) }
        #expect(throws: JSONParsingError.self) { try JSONValue(parsing: objects(129)) }
        #expect(throws: JSONParsingError.self) { try JSONValue(parsing: nested(1_000_000)) }
        #expect(throws: JSONParsingError.self) { try JSONValue(parsing: nested(3).utf8, maximumDepth: 2) }
    }

    @Test("An error says what and where")
    func errorsSayWhatAndWhere() {
        let error = #expect(throws: JSONParsingError.self) { try JSONValue(parsing: #"{"a" 1}"#) }
        #expect(error?.description == "expected a colon after the member's name at byte 5")
    }

    @Test("Any text is read or refused, and never crashes")
    func readsOrRefusesArbitraryText() {
        var random = SeededNumbers(seed: 47)
        let pieces = [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "a", "\\u", "d83e", "1", "-", ".", "e", "tr", "ue", "null", " ",
            "é",
        ]
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement(using: &random)! }
                .joined()
            if let value = try? JSONValue(parsing: text) {
                #expect((try? JSONValue(parsing: value.utf8)) == value)
            }
        }
    }
}
