import IntentKit
import Testing

@testable import IntentConsole

@Suite("Values in words")
struct ConsoleFormatTests {
    @Test("A text is cut at its limit, and only beyond it")
    func short() {
        #expect(Format.short("äöü", 3) == "äöü")
        #expect(Format.short("äöüß", 3) == "äöü…")
        #expect(Format.short("", 0) == "")
    }

    @Test("A tree that is longer than its limit in bytes is cut at as many characters")
    func tree() {
        let value: JSONValue = ["a": "1234"]
        let text = "{\n  \"a\": \"1234\"\n}"
        #expect(Format.tree(value, limit: text.utf8.count) == text)
        #expect(Format.tree(value, limit: text.utf8.count - 1) == String(text.dropLast()) + "…")
        #expect(Format.tree(.string(String(repeating: "a", count: 30_000))).count == 20_001)
    }
}
