import IntentKit
import IntentLab
import Testing

@Suite("R11: writing JSON")
struct JSONWritingTests {
    @Test("Keys are sorted by their UTF-8, without spaces")
    func sortsKeysByUTF8() {
        let value: JSONValue = ["b": 1, "a": [true, .null], "é": "x", "Z": 1.5, "🦄": [:]]
        #expect(value.description == #"{"Z":1.5,"a":[true,null],"b":1,"é":"x","🦄":{}}"#)
    }

    @Test("Only what has to be escaped is")
    func escapesOnlyWhatMustBe() {
        #expect(
            JSONValue.string("\"\\/\n\r\t\u{8}\u{1F}\u{7F}é🦄").description == #""\"\\/\n\r\t\u0008\u001f\#u{7F}é🦄""#
        )
    }

    @Test("A byte that has to be escaped is found at every position of a text of any length")
    func escapesAtEveryPosition() {
        for count in 0...34 {
            let plain = String(repeating: "a", count: count)
            #expect(JSONValue.string(plain).description == "\"\(plain)\"")
            for position in 0..<count {
                for (character, escaped) in [("\"", #"\""#), ("\\", #"\\"#), ("\u{1F}", #"\u001f"#)] {
                    let (before, after) = (plain.prefix(position), plain.dropFirst(position + 1))
                    let text = JSONValue.string(before + character + after)
                    #expect(text.description == "\"\(before)\(escaped)\(after)\"")
                }
            }
        }
    }

    @Test("Numbers that JSON cannot express become null")
    func numbersOutsideJSONBecomeNull() {
        #expect(
            JSONValue.array([.number(.infinity), .number(.nan), .number(-.infinity)]).description == "[null,null,null]"
        )
    }

    @Test("Members that are nil are left out, null ones are not")
    func nilMembersAreLeftOut() {
        #expect(JSONValue.members(["a": nil, "b": .null, "c": 1]).description == #"{"b":null,"c":1}"#)
    }

    @Test("Members written directly as bytes equal those of the tree; nil ones are left out")
    func directlyWrittenMembersEqualTree() {
        let bytes = JSONText.bytes { text in
            text.beginObject()
            text.member("a", "te\"xt")
            text.member("b", nil as String?)
            text.member("c", 7)
            text.member("d", nil as Int64?)
            text.member("e", value: [true])
            text.member("f", value: nil)
            text.member("g", ifTrue: true)
            text.member("h", ifTrue: false)
            text.endObject()
        }
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"a":"te\"xt","c":7,"e":[true],"g":true}"#)
    }

    @Test("Strings interpolate")
    func interpolatesStrings() {
        let name = "unicorn"
        #expect(["a": "my \(name)"] as JSONValue == .object(["a": .string("my unicorn")]))
    }

    @Test("Every value is read back as it was written, and written again the same")
    func valuesRoundTrip() throws {
        var random = SeededNumbers(seed: 11)
        for _ in 0..<2_000 {
            let value = Self.value(depth: 0, &random)
            let bytes = value.utf8
            let again = try JSONValue(parsing: bytes)
            #expect(again == value)
            #expect(again.utf8 == bytes)
        }
    }

    private static func value(depth: Int, _ random: inout SeededNumbers) -> JSONValue {
        switch Int.random(in: 0..<(depth > 4 ? 5 : 7), using: &random) {
        case 0: .null
        case 1: .bool(.random(using: &random))
        case 2: .integer(Int64.random(in: .min ... .max, using: &random) >> Int.random(in: 0..<64, using: &random))
        case 3: .number(Self.number(&random))
        case 4: .string(Self.text(&random))
        case 5: .array((0..<Int.random(in: 0...4, using: &random)).map { _ in Self.value(depth: depth + 1, &random) })
        default:
            .object(
                Dictionary(
                    (0..<Int.random(in: 0...4, using: &random))
                        .map { _ in
                            (Self.text(&random), Self.value(depth: depth + 1, &random))
                        }
                ) { $1 }
            )
        }
    }

    private static func number(_ random: inout SeededNumbers) -> Double {
        let number = Double(bitPattern: random.next())
        return number.isFinite ? number : 0.5
    }

    private static func text(_ random: inout SeededNumbers) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            let limit: UInt32 = [0x20, 0x80, 0x800, 0x11_0000][Int.random(in: 0..<4, using: &random)]
            text.unicodeScalars.append(Unicode.Scalar(UInt32.random(in: 0..<limit, using: &random)) ?? "\u{FFFD}")
        }
        return text
    }
}
