import IntentKit
import IntentLab
import Testing

/// A JSON object stores its members by the bytes of their names, in the order of the canonical text (R11).
@Suite struct JSONObjectTests {
    /// A name by its bytes, as a comparable dictionary would need it.
    private struct Name: Hashable {
        let bytes: [UInt8]
        init(_ text: String) { self.bytes = Array(text.utf8) }
    }

    private static let names = [
        "", "a", "A", "aa", "ab", "b", "é", "e\u{301}", "K", "\u{212A}", "a\u{301}\u{323}", "a\u{323}\u{301}", "\u{0}",
        "zz", "a name that is longer than fifteen bytes", "a name that is longer than fifteen bytez", "😀",
    ]

    @Test("Any sequence of changes gives what a dictionary of byte strings gives", arguments: 0..<50 as Range<UInt64>)
    func matchesDictionaryOfBytes(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        var object = JSONObject()
        var model: [Name: JSONValue] = [:]
        let names = Self.names + (0..<Int.random(in: 0...40, using: &random)).map { "n\($0)" }
        for step in 0..<200 {
            let name = names.randomElement(using: &random)!
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                #expect(object.removeValue(forKey: name) == model.removeValue(forKey: Name(name)))
            case 1:
                object[name] = nil
                model[Name(name)] = nil
            case 2:
                let other = JSONObject(names.shuffled(using: &random).prefix(3).map { ($0, .integer(Int64(step))) })
                object.merge(other) { old, _ in old }
                for (key, value) in other where model[Name(key)] == nil { model[Name(key)] = value }
            default:
                object[name] = .integer(Int64(step))
                model[Name(name)] = .integer(Int64(step))
            }
            #expect(object[name] == model[Name(name)])
        }
        #expect(object.count == model.count)
        #expect(object.map { Name($0.key) } == model.keys.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) })
        for (key, value) in object { #expect(model[Name(key)] == value) }
        let shuffled = JSONObject(object.shuffled(using: &random))
        #expect(shuffled == object)
        #expect(shuffled.hashValue == object.hashValue)
        #expect((try? JSONValue(parsing: JSONValue.object(object).utf8)) == .object(object))
    }

    @Test("Of members with one name the last counts, wherever they are")
    func lastMemberOfANameCounts() throws {
        #expect(JSONObject([("b", 1), ("a", 2), ("b", 3), ("a", 4), ("c", 5), ("b", 6)]) == ["a": 4, "b": 6, "c": 5])
        #expect(JSONObject([("a", 1), ("a", 2)]) == ["a": 2])
        #expect(try JSONValue(parsing: #"{"b":1,"a":2,"b":3}"#) == ["a": 2, "b": 3])
    }

    @Test("Names that only look alike are two members")
    func similarNamesAreTwoMembers() throws {
        let json = try JSONValue(parsing: #"{"é":1,"e\#u{301}":2}"#)
        #expect(json.object?.count == 2)
        #expect(json["é"] == 1)
        #expect(json["e\u{301}"] == 2)
    }

    @Test("An object of 100,000 members in the worst order is read quickly: they are sorted once, not for each member")
    func manyMembersAreSortedOnce() throws {
        let text = "{" + (0..<100_000).reversed().map { "\"k\(100_000 + $0)\":\($0)" }.joined(separator: ",") + "}"
        let json = try JSONValue(parsing: text)
        #expect(json.object?.count == 100_000)
        #expect(json["k100007"] == 7)
    }

    @Test(
        "A reader that asks for names in the order of their bytes finds each member",
        arguments: 0..<50 as Range<UInt64>
    )
    func findsMembersInOrderOfBytes(seed: UInt64) throws {
        let names: [StaticString] = [
            "A", "K", "a", "a name that is longer than fifteen bytes", "a name that is longer than fifteen bytez", "aa",
            "ab", "b", "e\u{301}", "zz", "é", "\u{212A}",
        ]
        var random = SeededNumbers(seed: seed)
        var object = JSONObject()
        for (index, name) in names.enumerated() where Bool.random(using: &random) {
            object[name.description] = .integer(Int64(index))
        }
        for number in 0..<Int.random(in: 0...20, using: &random) { object["n\(number)"] = true }
        let asked = names.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
        // As it is written, and as other software may write it: in another order, with a repeated member and with
        // escapes.
        var members = object.map { "\(JSONValue.string($0.key)):\($0.value)" }.shuffled(using: &random)
        members.insert(#""a":7"#, at: 0)
        if object["a"] == nil { members.append(#""\u0061":null"#) }
        for text in [JSONValue.object(object).description, "{\(members.joined(separator: ","))}"] {
            let json = try JSONValue(parsing: text)
            try Array(text.utf8)
                .withUnsafeBufferPointer { (bytes) throws(JSONParsingError) in
                    try JSONTape.withView(of: bytes) { view in
                        var reader = JSONMemberReader(view)
                        for name in asked { #expect(reader.value(name)?.value == json[name.description]) }
                        #expect(reader.value("\u{FFFF}") == nil)
                    }
                }
        }
    }
}
