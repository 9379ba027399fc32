import Testing

@testable import IntentKit

@Suite("HTML keeps markup and text apart")
struct HTMLTests {
    @Test("Text is escaped between tags and in attributes")
    func textIsEscapedBetweenTagsAndInAttributes() {
        let name = "<script>alert('x')</script> & \"y\""
        let html: HTML = "<a title=\"\(name)\">\(name)</a>"
        let escaped = "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;y&quot;"
        #expect(html.text == "<a title=\"\(escaped)\">\(escaped)</a>")
    }

    @Test("Each character is escaped alone as it is beside others")
    func escapesEachCharacterAlone() {
        for scalar in (0..<0x2100).compactMap(Unicode.Scalar.init(_:)) {
            let text = String(Character(scalar))
            let (alone, beside): (HTML, HTML) = ("\(text)", "\("<" + text)")
            #expect("&lt;" + alone.text == beside.text, "U+\(String(scalar.value, radix: 16))")
            if "&<>\"'".unicodeScalars.contains(scalar) {
                #expect(alone.text.hasPrefix("&") && alone.text.hasSuffix(";"), "\(text)")
            }
        }
    }

    @Test("Characters that change the direction of text are shown as numbers, and control characters are replaced")
    func showsHiddenCharacters() {
        let html: HTML = "\("a\u{202E}b\u{0}c\u{1B}d\ne\u{2028}f")"
        #expect(html.text == "a\\u{202e}b\u{FFFD}c\u{FFFD}d\ne\\u{2028}f")
    }

    @Test("Markup inside markup is not escaped again")
    func nestedMarkupIsNotEscapedAgain() {
        let parts: [HTML] = ["<li>\("<")</li>", "<li>2</li>"]
        let none: HTML? = nil
        let html: HTML = "<ul>\(parts)\(none)\(3)</ul>"
        #expect(html.text == "<ul><li>&lt;</li><li>2</li>3</ul>")
    }

    @Test("Pieces are joined with a separator between them only")
    func joinsWithSeparatorBetween() {
        let pieces: [HTML] = ["a", "\("<")", "c"]
        #expect(pieces.joined(by: ", ").text == "a, &lt;, c")
        #expect(pieces.joined().text == "a&lt;c")
        #expect([HTML]().joined(by: ", ").text.isEmpty)
        #expect(([pieces[0]]).joined(by: ", ").text == "a")
    }

    @Test(
        "Coordinates in drawings have one decimal",
        arguments: [(1.0, "1"), (0.25, "0.3"), (-3.14, "-3.1"), (.infinity, "0"), (.nan, "0")]
    )
    func coordinatesHaveOneDecimal(number: Double, text: String) {
        #expect(HTML(number: number).text == text)
    }
}
