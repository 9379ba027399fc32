import Foundation
import IntentKit
import Testing

@testable import IntentCommands

@Suite("intentd init", .timeLimit(.minutes(2)))
struct InitTests {
    @Test(
        "What it writes in Python passes its own scenarios, and stands every check",
        .enabled(if: PythonProgram.isThere)
    )
    func python() async throws {
        let directory = try TemporaryDirectory()
        let folder = directory.file("tea")
        let port = try PythonProgram.freePort()
        let start = ["init", "OrderTea", "--language", "python", "--port", "\(port)", "--output", folder]
        #expect(await RootCommand.run(start) == 0)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(files == ["README.md", "intent.yaml", "scenarios.jsonl", "service.py"])
        let definition = "\(folder)/intent.yaml"
        let service = try PythonProgram("\(folder)/service.py")
        let check = ["service", "check", "--definitions", definition, "--value", "item=tea", "--value", "count=2"]
        while await RootCommand.run(check + ["--no-handle"]) == ExitStatus.unavailable.rawValue {
            // It is starting.
            await Task.yield()
        }
        #expect(await RootCommand.run(check) == 0)
        #expect(await RootCommand.run(["test", "\(folder)/scenarios.jsonl", "--definitions", definition]) == 0)
        withExtendedLifetime(service) {}
        // What is there is left alone.
        #expect(await RootCommand.run(start) == ExitStatus.usage.rawValue)
    }

    @Test(
        "Names that are none are refused, and languages that there are not",
        arguments: ["Order Tea", "7up", "", "Tée"]
    )
    func names(name: String) async throws {
        let output = try TemporaryDirectory().file("x")
        let words = ["init", name, "--language", "python", "--output", output]
        #expect(await RootCommand.run(words) == ExitStatus.usage.rawValue)
        let cobol = ["init", "OrderTea", "--language", "cobol", "--output", output]
        #expect(await RootCommand.run(cobol) == ExitStatus.usage.rawValue)
        #expect(!FileManager.default.fileExists(atPath: output))
    }

    @Test("Nothing of the templates is left in what is written")
    func placeholders() {
        for (name, text) in PythonTemplate.files(intent: "OrderTea", port: 8123) {
            #expect(!text.contains("INTENT") && !text.contains("PORT"), "\(name)")
        }
    }
}
