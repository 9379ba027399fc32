import Foundation
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@testable import IntentCommands
@testable import IntentOperations
import WireDocuments

@Suite("intentd schema")
struct SchemaTests {
    private static let repository = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let directory = Self.repository.appending(path: "Documentation/wire")

    @Test("The documents in the repository are those that the code generates")
    func documentsAreUpToDate() throws {
        let files = SchemaCommand.files(version: ProgramVersion.number)
        for file in files {
            let text = try? String(contentsOf: Self.directory.appending(path: file.path), encoding: .utf8)
            #expect(
                text == file.text,
                "Documentation/wire/\(file.path) is not up to date: run `intentd schema --output Documentation/wire`"
            )
        }
        let stored = try FileManager.default.subpathsOfDirectory(atPath: Self.directory.path)
            .filter { $0.hasSuffix(".json") }
        #expect(Set(stored) == Set(files.map(\.path)))
    }

    @Test("The types of the clients are those that the code generates", arguments: ClientTypes.Language.allCases)
    func clientTypesAreUpToDate(language: ClientTypes.Language) throws {
        let text = try String(contentsOf: Self.repository.appending(path: language.path), encoding: .utf8)
        #expect(
            text == ClientTypes.text(in: language),
            "\(language.path) is not up to date: run `intentd schema --client \(language.rawValue) > \(language.path)`"
        )
    }

    @Test("Every type has a schema, and the AsyncAPI document has each of them as a message of a topic")
    func documentsAreComplete() throws {
        let document = try #require(
            WireDocument.all(version: "1").first { $0.path == "asyncapi.json" }
        )
        .json
        #expect(document["asyncapi"] == "3.0.0")
        let channels = try #require(document["channels"]?.object)
        #expect(channels.count == 9)
        for rule in EventRule.all {
            let name = rule.type.rawValue
            #expect(document["components"]?["schemas"]?[name]?["type"] == "object")
            let headers = document["components"]?["messages"]?[name]?["headers"]
            #expect(headers?["properties"]?["ce_type"]?["enum"] == [.string(name)])
            for topic in rule.topics { #expect(channels[topic.rawValue]?["messages"]?[name] != nil) }
        }
    }

    @Test("It writes all documents, or prints one; an unknown one is named")
    func writesAllDocumentsOrPrintsOne() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("wire")
        #expect(await RootCommand.run(["schema", "--output", path]) == 0)
        let schema = try JSONValue(parsing: Array(Data(contentsOf: URL(filePath: path + "/events/prompt.issued.json"))))
        #expect(schema["properties"]?["promptId"]?["type"] == "string")
        #expect(await RootCommand.run(["schema", "prompt.isued"]) == ExitStatus.usage.rawValue)
        #expect(await RootCommand.run(["schema", "values", "--output", path]) == ExitStatus.usage.rawValue)
        #expect(await RootCommand.run(["schema", "values", "--client", "python"]) == ExitStatus.usage.rawValue)
        #expect(await RootCommand.run(["schema", "--client", "cobol"]) == ExitStatus.usage.rawValue)
    }

    @Test("The documents are indented, and parse back to the same JSON")
    func documentsAreIndentedAndParseBack() throws {
        for file in SchemaCommand.files(version: "1") {
            #expect(try JSONValue(parsing: Array(file.text.utf8)) == file.json)
            #expect(file.text.split(separator: "\n").count > 5)
        }
    }
}
