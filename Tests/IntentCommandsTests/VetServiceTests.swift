import Foundation
import IntentLab
import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("The appointment at the vet as a service in Python", .timeLimit(.minutes(2)))
struct VetServiceTests {
    private static let example = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Examples/Vet")

    @Test(
        "It passes every check, and the conversations of the handler in Swift end as expected",
        .enabled(if: PythonProgram.isThere)
    )
    func serviceEndsConversationsAsSwiftHandler() async throws {
        let directory = try TemporaryDirectory()
        let port = try PythonProgram.freePort()
        let yaml = try PythonProgram.definition(in: Self.example.appending(path: "Service/vet.yaml"), port: port)
        let definition = try directory.write(yaml, to: "vet.yaml")
        let program = Self.example.appending(path: "Service/vet.py").path
        let service = try PythonProgram(program, "\(port)", directory.file("vet.db"))
        let tomorrow = Date.now.addingTimeInterval(86_400).formatted(Date.ISO8601FormatStyle().year().month().day())
        let check = [
            "service", "check", "--definitions", definition, "--value", "service=checkup", "--value", "pet=p-3",
            "--value", "time=\(tomorrow)T11:00:00Z",
        ]
        while await RootCommand.run(check + ["--no-handle"]) == ExitStatus.unavailable.rawValue {
            // It is starting: the next attempt takes a while to find that no process listens yet.
            await Task.yield()
        }
        #expect(await RootCommand.run(check) == 0)
        let scenarios = Self.example.appending(path: "Scenarios/vet.jsonl").path
        #expect(await RootCommand.run(["test", scenarios, "--definitions", definition]) == 0)
        #expect(await RootCommand.run(["config", "check", "--definitions", definition]) == 0)
        withExtendedLifetime(service) {}
    }
}
