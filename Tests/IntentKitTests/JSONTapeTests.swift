import IntentKit
import IntentLab
import Testing

@Suite("A tape over a JSON text says what a tree of its values does")
struct JSONTapeTests {
    /// Whether a value on the tape equals the one in the tree, with all its content.
    private static func isSame(
        _ node: Int,
        _ json: JSONValue,
        _ tape: JSONTape,
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        let text = json.string.map { Array($0.utf8) }
        guard tape.canonicalText(node, in: bytes) == json.utf8, tape.string(node, in: bytes) == text,
            tape.integer(node, in: bytes) == json.integer, tape.isTrue(node) == (json == true),
            (tape.kind(node) == .object) == (json.object != nil), tape.member("absent", of: node, in: bytes) == nil,
            tape.content(node, in: bytes).map({ $0.isEscaped || Array($0.bytes) == text }) ?? (text == nil),
            tape.canonicalContent(node, in: bytes).map({ Array($0) == json.utf8 }) ?? true
        else { return false }
        let names: [(StaticString, String)] = [("a", "a"), ("b", "b"), ("id", "id"), ("user", "user")]
        return names.allSatisfy { name, text in
            switch (tape.member(name, of: node, in: bytes), json[text]) {
            case (nil, nil): true
            case (let member?, let value?): Self.isSame(member, value, tape, bytes)
            default: false
            }
        }
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

    @Test("of any bytes, with any bound on the depth", arguments: 1...6)
    func anyBytes(seed: UInt64) {
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
                let place = Int.random(in: 0...text.count, using: &numbers)
                let end = min(text.count, place + Int.random(in: 0...3, using: &numbers))
                text.replaceSubrange(place..<end, with: Self.pieces.randomElement(using: &numbers)!)
            }
            let depth = Int.random(in: 1...6, using: &numbers)
            let json = try? JSONValue(parsing: text, maximumDepth: depth)
            text.withUnsafeBufferPointer { bytes in
                let isSound = tape.read(bytes, maximumDepth: depth)
                let isAsExpected =
                    isSound == (json != nil) && json.map { Self.isSame(JSONTape.root, $0, tape, bytes) } ?? true
                if !isAsExpected { Issue.record("\(text)") }
                if isSound { sound += 1 }
            }
        }
        #expect(sound > 500)
    }

    @Test("a long text leaves no room behind, and one as deep as may be is read")
    func longAndDeep() {
        var tape = JSONTape()
        let long = Array(("[" + String(repeating: "[],", count: 200_000) + "1]").utf8)
        let deep = { (depth: Int) in
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        let depth = JSONValue.defaultMaximumDepth
        #expect(long.withUnsafeBufferPointer { tape.read($0, maximumDepth: depth) })
        #expect(deep(depth).withUnsafeBufferPointer { tape.read($0, maximumDepth: depth) })
        #expect(!deep(depth + 1).withUnsafeBufferPointer { tape.read($0, maximumDepth: depth) })
        #expect(![].withUnsafeBufferPointer { tape.read($0, maximumDepth: depth) })
    }
}
