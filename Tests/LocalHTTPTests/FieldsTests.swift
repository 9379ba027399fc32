import Testing

@testable import LocalHTTP

@Suite("Queries and forms")
struct FieldsTests {
    @Test("Any fields are read back as written")
    func readsWhatItWrites() {
        let values = ["a&b=c", "ä ö+%", "<script>", "\u{202E}", "日本", "a\nb"]
        for value in values {
            let query = Fields([("name", value)]).query
            #expect(Fields(parsing: String(query.dropFirst()))["name"] == value)
            #expect(
                query.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "\"") }
            )
        }
    }

    @Test("Fields that cannot be decoded are skipped", arguments: ["a=%", "a=%4", "a=%GG", "a=%FF", "a", "=", "a="])
    func skipsUndecodableFields(text: String) {
        #expect(Fields(parsing: text)["a"] == nil)
    }

    @Test("The number and the length of fields are bounded")
    func boundsNumberAndLengthOfFields() {
        let many = (0..<1_000).map { "f\($0)=1" }.joined(separator: "&")
        #expect(Fields(parsing: many).all.count == Fields.maximumCount)
        let long = String(repeating: "x", count: Fields.maximumLength + 1)
        #expect(Fields(parsing: "a=\(long)&b=1").all.map(\.name) == ["b"])
    }

    @Test("Setting a field replaces its value")
    func settingReplacesValue() {
        #expect(Fields(parsing: "a=1&b=2").with("a", "3").query == "?b=2&a=3")
        #expect(Fields(parsing: "a=1").with("a", nil).query == "")
    }

    @Test("Browsers write a space as a plus, and a plus as a number")
    func spaces() {
        let fields = Fields(parsing: "a+b=c++d&e=%2B+%20")
        #expect(fields["a b"] == "c  d")
        #expect(fields["e"] == "+  ")
    }
}
