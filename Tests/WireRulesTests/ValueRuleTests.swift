import IntentKit
import Testing
import WireRules

@Suite("A rule reports what is wrong with a value, and where")
struct ValueRuleTests {
    private static let rule = ObjectRule([
        .required("name", .text(.nonEmpty), "A name."),
        .optional("count", .integer(minimum: 1, maximum: 3), "A count.", standard: 2),
        .optional("parts", .list(.members([.required("kind", .choice(["a", "b"]), "A kind.")])), "Parts."),
        .optional("words", .map(.either([.boolean, .members([.required("x", .number, "A number.")])])), "Words."),
        .required("place", .orNull(.text(.any)), "A place."),
    ])

    private static func problem(_ object: JSONObject, _ strictness: ValueRule.Strictness) -> String? {
        Self.rule.problem(in: object, strictness)?.description
    }

    @Test("A value that follows its rule has no problem, whatever wrote it")
    func validValueHasNoProblem() {
        let whole: JSONObject = [
            "name": "n", "count": 3, "parts": [["kind": "a"], ["kind": "b"]], "words": ["w": true, "v": ["x": 1.5]],
            "place": "here",
        ]
        #expect(Self.problem(whole, .received) == nil)
        #expect(Self.problem(whole, .written) == nil)
        #expect(Self.problem(["name": "n", "place": .null], .written) == nil)
    }

    @Test("The path leads to the invalid value")
    func pathLeadsToInvalidValue() {
        func problem(_ more: JSONObject) -> String? {
            var object: JSONObject = ["name": "n", "place": "here"]
            object.merge(more) { $1 }
            return Self.problem(object, .written)
        }
        #expect(problem(["count": 0]) == "count must be a whole number from 1 to 3, not an integer")
        #expect(problem(["count": 4])?.hasPrefix("count must be") == true)
        #expect(problem(["parts": [["kind": "a"], ["kind": "c"]]]) == "parts.1.kind must be a or b, not \"c\"")
        #expect(problem(["parts": [[:]]]) == "parts.0.kind is missing; it must be a or b")
        #expect(problem(["parts": [:]]) == "parts must be an array, not an object")
        #expect(problem(["words": ["w": ["x": "1"]]]) == "words.w.x must be a number, not \"1\"")
        #expect(problem(["words": ["w": 1]]) == "words.w must be true or false or an object, not an integer")
        #expect(problem(["name": ""])?.hasPrefix("name must be a string that is not empty") == true)
    }

    @Test("What intentd writes has no other member and no null; what clients write may have both")
    func ownEventsAreStrictAndClientsAreNot() {
        #expect(Self.problem(["name": "n", "place": "p", "more": 1], .received) == nil)
        #expect(
            Self.problem(["name": "n", "place": "p", "more": 1], .written)
                == "more is not described; there are name, count, parts, words, place"
        )
        let null: JSONObject = ["name": "n", "place": "p", "count": .null]
        #expect(Self.problem(null, .received) == nil)
        #expect(Self.problem(null, .written)?.hasPrefix("count must be") == true)
    }

    @Test("Unknown members are found wherever the rule says which members there are, with the names known there")
    func findsUnknownMembers() {
        let object: JSONObject = [
            "name": "n", "nome": 1, "x-own": 1, "parts": [["kind": "a"], ["kind": "b", "kin": 1]],
            "words": ["w": true, "v": ["x": 1.5, "y": 2], "z": false],
        ]
        let found = Self.rule.unknown(in: object)
        #expect(found.map { $0.path + [$0.name] } == [["nome"], ["parts", "1", "kin"], ["words", "v", "y"]])
        #expect(found.map(\.known) == [["name", "count", "parts", "words", "place"], ["kind"], ["x"]])
    }

    @Test("A required member is missing when it is left out; for clients also when it is null")
    func requiredMemberIsMissingWhenOmittedOrNull() {
        #expect(Self.problem(["name": "n"], .written) == "place is missing; it must be a string or null")
        #expect(Self.problem(["place": "p"], .received)?.hasPrefix("name is missing") == true)
        #expect(Self.problem(["name": .null, "place": "p"], .received)?.hasPrefix("name is missing") == true)
        #expect(Self.problem(["name": .null, "place": "p"], .written)?.hasPrefix("name must be") == true)
        #expect(Self.problem(["name": "n", "place": .null], .received)?.hasPrefix("place is missing") == true)
        // What is wrong in clients' values is found behind others that are sound.
        #expect(Self.problem(["count": 9, "name": "n", "place": "p"], .received)?.hasPrefix("count must be") == true)
    }

    @Test("As JSON Schema: required members, nullable ones, and whether others are allowed")
    func describesRulesAsJSONSchema() {
        let received = SchemaWriter(.received).schema(Self.rule)
        let written = SchemaWriter(.written).schema(Self.rule)
        #expect(received["required"] == ["name", "place"])
        #expect(received["additionalProperties"] == nil)
        #expect(written["additionalProperties"] == false)
        #expect(received["properties"]?["count"]?["type"] == ["integer", "null"])
        #expect(written["properties"]?["count"]?["type"] == "integer")
        #expect(received["properties"]?["count"]?["default"] == 2)
        #expect(received["properties"]?["count"]?["maximum"] == 3)
        #expect(received["properties"]?["name"]?["type"] == "string")
        #expect(written["properties"]?["place"]?["type"] == ["string", "null"])
        let optional = SchemaWriter(.received).schema(ObjectRule([.optional("a", .choice(["x"]), "A.")]))
        #expect(optional["required"] == nil)
        #expect(optional["properties"]?["a"]?["enum"] == ["x", .null])
    }

    @Test("A shared description is written once, and referred to by its name")
    func sharedDescriptionsAreReferences() {
        let rule = ObjectRule([.required("a", .list(.shared("one", .map(.shared("two", .boolean)))), "A.")])
        let document = SchemaWriter(.written).document(rule, id: "id", title: "t", summary: "s")
        #expect(document["properties"]?["a"]?["items"] == ["$ref": "#/$defs/one"])
        #expect(document["$defs"]?["one"]?["additionalProperties"] == ["$ref": "#/$defs/two"])
        #expect(document["$defs"]?["two"] == ["type": "boolean"])
        #expect(SchemaWriter(.written).document(ObjectRule([]), id: "", title: "", summary: "")["$defs"] == nil)
    }
}
