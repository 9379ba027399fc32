import IntentKit
import IntentLab
import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("vocabulary set reads terms")
struct VocabularyTermsTests {
    private func terms(_ text: String) throws -> [JSONValue] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .filter { !$0.element.isEmpty }
            .map { InputLine(number: $0.offset + 1, bytes: Array($0.element.utf8)) }
        return try VocabularyTerms.terms(lines, "f")
    }

    @Test("Plain lines, NDJSON and one array are read alike")
    func readsLinesNDJSONAndArrayAlike() throws {
        let diana: JSONValue = ["spokenPhrase": "Diana", "vocabularyIdentifier": "d1"]
        #expect(
            try self.terms("Celestra  \n\n{\"spokenPhrase\":\"Diana\",\"vocabularyIdentifier\":\"d1\"}\n") == [
                "Celestra", diana,
            ]
        )
        #expect(try self.terms("\"Celestra\"") == ["Celestra"])
        #expect(
            try self.terms(" [\"Celestra\",\n {\"spokenPhrase\":\"Diana\",\n\"vocabularyIdentifier\":\"d1\"}]")
                == ["Celestra", diana]
        )
        #expect(try self.terms("") == [])
    }

    @Test(
        "Problems have their line",
        arguments: [
            ("a\n\n{\"spokenPhrase\":7}", "f:3: spokenPhrase is an integer, not a string"),
            ("a\n{\"x\":", "f:2: this is not JSON: "), ("[\"a\",\n\n\n8 9]", "f:4: this is not JSON: "),
            ("[\"a\",{}]", "f: [1]: spokenPhrase is missing"),
            (String(repeating: "ab", count: 300), "f:1: the string has 1200 bytes of UTF-16; 1024 are the most"),
        ]
    )
    func problemsHaveTheirLine(text: String, message: String) throws {
        let failure = try #require(throws: OperationError.self) { try self.terms(text) }
        #expect(failure.code == .badData)
        #expect(failure.message.hasPrefix(message), "\(failure.message)")
    }

    @Test("R49: exit statuses of invalid calls")
    func invalidCallsHaveExitStatuses() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("a\n", to: "names.txt")
        let wrong = try directory.write("{}\n", to: "wrong.ndjson")
        let data = ["--data", directory.path]
        let set = ["vocabulary", "set", "--user", "u", "--type", "contactName"]
        #expect(await RootCommand.run(["vocabulary", "set", file, "--type", "contactName"]) == 64)
        #expect(await RootCommand.run(["vocabulary", "set", file, "--user", "u", "--type", "contactNames"]) == 64)
        #expect(await RootCommand.run(["vocabulary", "set", file, "--user", "", "--type", "contactName"]) == 64)
        #expect(await RootCommand.run(set + [directory.file("none")]) == 66)
        #expect(await RootCommand.run(set + [wrong]) == 65)
        #expect(await RootCommand.run(set + [file] + data) == 69)
        #expect(await RootCommand.run(["vocabulary", "remove", "--user", "u"] + data) == 69)
        #expect(await RootCommand.run(["vocabulary", "show", "--user", "u"] + data) == 69)
        #expect(await RootCommand.run(["vocabulary", "show", "--type", "contactName"]) == 64)
    }
}
