import Foundation
import IntentKit
import IntentLab
import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("The same conversations with a Python service and with a Swift handler", .timeLimit(.minutes(2)))
struct LunchTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let example = Self.root.appending(path: "Tests/Examples/PythonService")
    private static let scenarios = Self.example.appending(path: "lunch.jsonl").path

    @Test("With the handler in Swift they end as expected")
    func swiftHandlerPassesScenarios() async throws {
        let sources = HandlerSources(own: [OrderLunchHandler.lunches])
        let status = await HandlerSources.$current.withValue(sources) {
            await RootCommand.run(["test", Self.scenarios])
        }
        #expect(status == 0)
    }

    @Test("With the service in Python, too, and it passes every check", .enabled(if: PythonProgram.isThere))
    func pythonServicePassesScenariosAndChecks() async throws {
        let directory = try TemporaryDirectory()
        let port = try PythonProgram.freePort()
        let yaml = try PythonProgram.definition(in: Self.example.appending(path: "lunch.yaml"), port: port)
        let definition = try directory.write(yaml, to: "lunch.yaml")
        let lunch = Self.example.appending(path: "lunch.py").path
        let service = try PythonProgram(lunch, "\(port)", directory.file("lunch.db"))
        let check = ["service", "check", "--definitions", definition, "--value", "restaurant=Luigi", "--value"]
        while await RootCommand.run(check + ["dishes=salad", "--no-handle"]) == ExitStatus.unavailable.rawValue {
            // It is starting: the next attempt takes a while to find that no process listens yet.
            await Task.yield()
        }
        #expect(await RootCommand.run(check + ["dishes=salad"]) == 0)
        #expect(await RootCommand.run(["test", Self.scenarios, "--definitions", definition]) == 0)
        #expect(await RootCommand.run(["config", "check", "--definitions", definition]) == 0)
        withExtendedLifetime(service) {}
    }

    @Test(
        "The README and the guide show the service and its definition, line for line",
        arguments: ["README.md", "Sources/Faces/IntentCommands/Documentation.docc/AnyLanguage.md"]
    )
    func readmeShowsServiceLineForLine(path: String) throws {
        let readme = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
        for (file, language) in [("lunch.py", "python"), ("lunch.yaml", "yaml")] {
            let text = try String(contentsOf: Self.example.appending(path: file), encoding: .utf8)
            #expect(readme.contains("```\(language)\n\(text)```\n"), "\(path) does not show all of \(file)")
        }
    }

    @Test(
        "`service check` says what cannot be checked: no service, no such intent or parameter, no address, nobody listening"
    )
    func serviceCheckReportsWhatItCannotCheck() async throws {
        let directory = try TemporaryDirectory()
        let port = try PythonProgram.freePort()
        let served = "{name: NAME, handler: {service: {url: \"http://127.0.0.1:\(port)\"}}}"
        let two = try directory.write(
            "intents:\n  - \(served.replacing("NAME", with: "A"))\n  - \(served.replacing("NAME", with: "B"))\n",
            to: "two.yaml"
        )
        let none = try directory.write("name: C\n", to: "none.yaml")
        let secret = try directory.write(
            "name: D\nhandler: {service: {url: \"http://127.0.0.1:\(port)\", headers: {X: {env: INTENTD_NOT_SET}}}}\n",
            to: "secret.yaml"
        )
        let usage = ExitStatus.usage.rawValue
        for (arguments, status) in [
            (["--definitions", none], usage), (["--definitions", two], usage),
            (["--definitions", two, "--intent", "E"], usage),
            (["--definitions", two, "--intent", "A", "--value", "p=1"], usage),
            (["--definitions", two, "--intent", "A", "--value", "p"], usage),
            (["ftp://x", "--definitions", two], usage),
            (["--definitions", secret], ExitStatus.configuration.rawValue),
            (["--definitions", two, "--intent", "A"], ExitStatus.unavailable.rawValue),
        ] {
            #expect(await RootCommand.run(["service", "check"] + arguments) == status, "\(arguments)")
        }
    }
}
