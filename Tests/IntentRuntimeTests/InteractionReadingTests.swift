import IntentKit
import IntentLab
import Testing

@testable import IntentRuntime

@Suite("An interaction is read in place")
struct InteractionReadingTests {
    @Test(
        "What a turn knows is the same from a text as from its tree, whatever is changed in it",
        arguments: 1...4
    )
    func readsTextLikeTree(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        let whole = Array(
            """
            {"accepted":true,"asked":{"a":{"by":"handle","kind":"needsValue"}},"attempts":{"a/1":2},\
            "confirmed":{"a":{"0":1}},"content":"c","declined":{"a":["x"]},"device":{"id":"d"},\
            "displays":{"p":{"subtitle":"s","title":{"de":"A"}}},\
            "history":"as","id":"i","intent":{"name":"n","parameters":{"p":[1]}},"locale":"de",\
            "prompt":{"attempt":0,"displays":[null,{"title":"B"}],"expiresAt":5,"item":1,"itemDisplay":{"title":"C"},\
            "kind":"needsValue","number":1,"options":[1,2]},"refused":{"r":1},\
            "request":"0:1","round":1,"settled":["a","b"],"shown":null,"startedAt":1,\
            "timeZone":"Europe/Berlin","turns":2,"user":{"id":"u"}}
            """
            .utf8
        )
        var read = 0
        for _ in 0..<4_000 {
            var text = whole
            let start = Int.random(in: 0..<text.count, using: &numbers)
            let end = min(text.count, start + Int.random(in: 0...3, using: &numbers))
            let piece = ["", "0", "\"", ",", "null", "{}", "-1", " ", #"\u0061"#, #""id":"j","#]
                .randomElement(using: &numbers)
            text.replaceSubrange(start..<end, with: Array((piece ?? "").utf8))
            let tree = try? JSONValue(parsing: text)
            let interaction = Interaction(text: text)
            #expect(interaction == tree.flatMap(Interaction.init(json:)))
            if let interaction { #expect(Interaction(text: interaction.utf8) == interaction) }
            if interaction != nil { read += 1 }
        }
        #expect(read > 100)
    }
}
