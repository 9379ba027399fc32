import Foundation
import IntentKit
import IntentLab
import Testing
import WireDocuments

@testable import IntentCommands

@Suite("intentd init", .timeLimit(.minutes(2)))
struct InitTests {
    @Test(
        "The Python template passes its own scenarios and every service check",
        .enabled(if: PythonProgram.isThere)
    )
    func pythonTemplatePassesItsScenarios() async throws {
        let directory = try TemporaryDirectory()
        let folder = directory.file("tea")
        let port = try PythonProgram.freePort()
        let start = ["init", "OrderTea", "--language", "python", "--port", "\(port)", "--output", folder]
        #expect(await RootCommand.run(start) == 0)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(files == ["README.md", "intent.yaml", "scenarios.jsonl", "service.py"])
        let definition = "\(folder)/intent.yaml"
        // The check compares the slowest answer with the time limit, which says something about a busy machine only.
        let template = try String(contentsOfFile: definition, encoding: .utf8)
        #expect(template.contains("timeout: PT5S"))
        try template.replacing("timeout: PT5S", with: "timeout: PT60S")
            .write(toFile: definition, atomically: true, encoding: .utf8)
        let service = try PythonProgram("\(folder)/service.py")
        let check = ["service", "check", "--definitions", definition, "--value", "item=tea", "--value", "count=2"]
        while await RootCommand.run(check + ["--no-handle"]) == ExitStatus.unavailable.rawValue {
            // It is starting.
            await Task.yield()
        }
        #expect(await RootCommand.run(check) == 0)
        #expect(await RootCommand.run(["test", "\(folder)/scenarios.jsonl", "--definitions", definition]) == 0)
        withExtendedLifetime(service) {}
        // Existing files are left alone.
        #expect(await RootCommand.run(start) == ExitStatus.usage.rawValue)
    }

    @Test(
        "Invalid names and unknown languages are refused",
        arguments: ["Order Tea", "7up", "", "Tée"]
    )
    func refusesInvalidNamesAndLanguages(name: String) async throws {
        let output = try TemporaryDirectory().file("x")
        let words = ["init", name, "--language", "python", "--output", output]
        #expect(await RootCommand.run(words) == ExitStatus.usage.rawValue)
        let cobol = ["init", "OrderTea", "--language", "cobol", "--output", output]
        #expect(await RootCommand.run(cobol) == ExitStatus.usage.rawValue)
        #expect(!FileManager.default.fileExists(atPath: output))
    }

    @Test("The declared template passes `config check` and its own scenarios")
    func declaredTemplatePassesItsScenarios() async throws {
        let folder = try TemporaryDirectory()
        let output = folder.file("tea")
        let start = ["init", "OrderTea", "--declared", "--output", output]
        #expect(await RootCommand.run(start) == 0)
        #expect(try Self.files(in: output) == ["README.md", "intent.yaml", "scenarios.jsonl"])
        let definitions = ["--definitions", "\(output)/intent.yaml"]
        #expect(await RootCommand.run(["config", "check"] + definitions) == 0)
        #expect(await RootCommand.run(["intents", "OrderTea"] + definitions) == 0)
        #expect(await RootCommand.run(["test", "\(output)/scenarios.jsonl"] + definitions) == 0)
        #expect(await RootCommand.run(start) == ExitStatus.usage.rawValue)
    }

    /// `Tests/run.sh` builds such a package and runs its tests.
    @Test("The Swift template depends on the given copy of intentd, or says where to name it")
    func swiftTemplateDependsOnNamedPackage() async throws {
        let folder = try TemporaryDirectory()
        let own = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path
        let output = folder.file("tea")
        let start = ["init", "OrderTea", "--package-path", own + "/Tests/..", "--output", output]
        #expect(await RootCommand.run(start) == 0)
        let written = [
            ".gitignore", "Package.swift", "README.md", "Sources/OrderTea/OrderTeaExtension.swift",
            "Sources/OrderTea/OrderTeaHandler.swift", "Sources/OrderTea/OrderTeaIntent.swift",
            "Sources/OrderTeaServer/OrderTeaServer.swift", "Tests/OrderTeaTests/OrderTeaTests.swift", "scenarios.jsonl",
        ]
        #expect(try Self.files(in: output) == written)
        let manifest = try String(contentsOfFile: "\(output)/Package.swift", encoding: .utf8)
        #expect(manifest.contains(#".package(name: "intentd", path: "\#(own)")"#), "\(manifest)")
        #expect(await RootCommand.run(start) == ExitStatus.usage.rawValue)
        let open = folder.file("open")
        #expect(await RootCommand.run(["init", "OrderTea", "--output", open]) == 0)
        let openManifest = try String(contentsOfFile: "\(open)/Package.swift", encoding: .utf8)
        #expect(openManifest.contains("// Set the location of intentd"))
        let nowhere = ["init", "OrderTea", "--package-path", folder.path, "--output", folder.file("x")]
        #expect(await RootCommand.run(nowhere) == ExitStatus.noInput.rawValue)
    }

    @Test(
        "A client depends on the given copy of intentd, or says where to name it",
        arguments: ClientTypes.Language.allCases
    )
    func clientDependsOnNamedPackage(language: ClientTypes.Language) async throws {
        let folder = try TemporaryDirectory()
        let own = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path
        let output = folder.file("tea")
        let start = ["init", "OrderTea", "--client", language.rawValue, "--package-path", own, "--output", output]
        #expect(await RootCommand.run(start) == 0)
        let manifest = ClientTemplate.manifestName(language)
        #expect(try Self.files(in: output) == ["README.md", manifest, Self.program(language)].sorted())
        let text = try String(contentsOfFile: "\(output)/\(manifest)", encoding: .utf8)
        #expect(text.contains("\(own)/clients/\(language.rawValue)"), "\(text)")
        #expect(await RootCommand.run(start) == ExitStatus.usage.rawValue)
        let open = folder.file("open")
        #expect(await RootCommand.run(["init", "OrderTea", "--client", language.rawValue, "--output", open]) == 0)
        #expect(try String(contentsOfFile: "\(open)/\(manifest)", encoding: .utf8).contains("/path/to/intentd/clients"))
    }

    private static func program(_ language: ClientTypes.Language) -> String {
        switch language {
        case .python: "client.py"
        case .typescript: "client.js"
        }
    }

    @Test("A path with quotes and backslashes is escaped in the manifest")
    func packagePathIsEscapedInManifest() throws {
        let files = SwiftTemplate.files(intent: "OrderTea", package: #"/a "b"\c"#)
        let manifest = try #require(files.first { $0.name == "Package.swift" }).text
        #expect(manifest.contains(#"path: "/a \"b\"\\c""#), "\(manifest)")
        let package = ClientTemplate.files(intent: "OrderTea", in: .typescript, package: #"/a "b"\c"#)
        let json = try #require(package.first { $0.name == "package.json" }).text
        let parsed = try JSONValue(parsing: Array(json.utf8))
        #expect(parsed["dependencies"]?["intentd"] == #"file:/a "b"\c/clients/typescript"#)
    }

    @Test(
        "Conflicting options are refused, and so are names that Swift or intentd has taken",
        arguments: [
            ["OrderTea", "--declared", "--language", "swift"], ["OrderTea", "--declared", "--package-path", "."],
            ["OrderTea", "--port", "8000"], ["OrderTea", "--language", "python", "--package-path", "."], ["class"],
            ["IntentKit"], ["Order_Tea!"], ["OrderTea", "--client", "cobol"],
            ["OrderTea", "--client", "python", "--language", "python"],
            ["OrderTea", "--client", "python", "--declared"],
        ]
    )
    func refusesConflictingOptionsAndTakenNames(words: [String]) async throws {
        let output = try TemporaryDirectory().file("x")
        #expect(await RootCommand.run(["init"] + words + ["--output", output]) == ExitStatus.usage.rawValue)
        #expect(!FileManager.default.fileExists(atPath: output))
    }

    /// The files below a folder, by path.
    private static func files(in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder)
            .filter { path in
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: "\(folder)/\(path)", isDirectory: &isFolder)
                    && !isFolder.boolValue
            }
            .sorted()
    }

    @Test("No placeholder of a template is left in the files")
    func templatesLeaveNoPlaceholders() {
        let swift = SwiftTemplate.files(intent: "OrderTea", package: "/a/b")
        let files =
            PythonTemplate.files(intent: "OrderTea", port: 8123) + DeclaredTemplate.files(intent: "OrderTea") + swift
        for (name, text) in ClientTypes.Language.allCases
            .flatMap({ ClientTemplate.files(intent: "OrderTea", in: $0, package: "/a/b") })
        {
            #expect(!text.contains("WANTED") && !text.contains("PACKAGE"), "\(name)")
        }
        for (name, text) in files {
            #expect(!(name + text).contains("INTENT") && !text.contains("PORT"), "\(name)")
            #expect(!text.contains("DEPENDENCY"), "\(name)")
        }
    }
}
