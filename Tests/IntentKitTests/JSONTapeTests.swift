import IntentKit
import IntentLab
import Testing

@Suite("A tape over a JSON text")
struct JSONTapeTests {
    /// Whether a value on the tape equals the one in the tree, with all its content.
    private static func isSame(_ view: JSONView, _ json: JSONValue) -> Bool {
        let text = json.string
        guard JSONText.bytes({ $0.value(view) }) == json.utf8, view.string == text, view.integer == json.integer,
            (view.bool ?? false) == (json == true), (view.kind == .object) == (json.object != nil),
            view["absent"] == nil,
            view.content.map({ $0.isEscaped || Array($0.bytes) == text.map { Array($0.utf8) } }) ?? (text == nil),
            view.content.map({ !$0.isEscaped || JSONView.unescaped($0.bytes) == text }) ?? true,
            view.kind == .string || view.canonicalContent.map({ Array($0) == json.utf8 }) ?? true
        else { return false }
        let names: [(StaticString, String)] = [("a", "a"), ("b", "b"), ("id", "id"), ("user", "user")]
        return names.allSatisfy { name, text in
            switch (view[name], json[text]) {
            case (nil, nil): true
            case (let member?, let value?): Self.isSame(member, value)
            default: false
            }
        }
    }

    /// Whether the tape reads a text, with that content.
    private static func reads(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ tape: inout JSONTape,
        maximumDepth: Int = JSONValue.defaultMaximumDepth,
        as json: JSONValue? = nil
    ) -> Bool {
        var isRead = false
        try? tape.read(bytes, maximumDepth: maximumDepth) { view in
            isRead = json.map { Self.isSame(view, $0) } ?? true
        }
        return isRead
    }

    private static let pieces: [[UInt8]] =
        [
            "{", "}", "[", "]", ",", ":", " ", "\n", "\"", "\"a\"", "\"b\":", "\"id\":", "{\"user\":{\"id\":\"", "\\",
            "\\n",
            "\\u00e9", "\\ud83d\\ude00", "\\ud83d", "\\/", "0", "-0", "12", "-", ".5", "e3", "E+400",
            "123456789012345678901",
            "true", "false", "null", "nul", "\u{e9}", "\u{0}", "\u{1f600}", "\"a\":1,", "[[[[", "]]]]",
        ]
        .map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0x80]]

    @Test("The tape agrees with the tree on any bytes, with any bound on the depth", arguments: 1...6)
    func agreesWithTreeOnAnyBytes(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        var tape = JSONTape()
        var sound = 0
        let whole = [
            #"{"a":{"b":[1,2,{"id":"x"}],"user":{"id":"\u0061da"}},"b":true,"id":-17,"user":{"id":"ada","a":1.50,"b":[]}}"#,
            #"[{"a" : "\ud83d\ude00"},"é",[[]],{},1e3,null]"#, #"{"b":2,"a":1,"a":"last","id":9223372036854775807}"#,
        ]
        for _ in 0..<4_000 {
            var text = Array(whole.randomElement(using: &numbers)!.utf8)
            for _ in 0..<Int.random(in: 0...3, using: &numbers) {
                let start = Int.random(in: 0...text.count, using: &numbers)
                let end = min(text.count, start + Int.random(in: 0...3, using: &numbers))
                text.replaceSubrange(start..<end, with: Self.pieces.randomElement(using: &numbers)!)
            }
            let depth = Int.random(in: 1...6, using: &numbers)
            let json = try? JSONValue(parsing: text, maximumDepth: depth)
            text.withUnsafeBufferPointer { bytes in
                if Self.reads(bytes, &tape, maximumDepth: depth, as: json) != (json != nil) { Issue.record("\(text)") }
                if json != nil { sound += 1 }
            }
        }
        #expect(sound > 500)
    }

    @Test("A long text leaves no memory behind, and one of the maximum depth is read")
    func readsMaximumDepthAndFreesLongText() {
        var tape = JSONTape()
        let long = Array(("[" + String(repeating: "[],", count: 200_000) + "1]").utf8)
        let deep = { (depth: Int) in
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        let depth = JSONValue.defaultMaximumDepth
        #expect(long.withUnsafeBufferPointer { Self.reads($0, &tape) })
        #expect(deep(depth).withUnsafeBufferPointer { Self.reads($0, &tape) })
        #expect(!deep(depth + 1).withUnsafeBufferPointer { Self.reads($0, &tape) })
        #expect(![].withUnsafeBufferPointer { Self.reads($0, &tape) })
    }
}
