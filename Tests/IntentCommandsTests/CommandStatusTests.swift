import IntentLab
import Testing

@testable import IntentCommands

@Suite("R49: exit statuses")
struct CommandStatusTests {
    @Test(
        "An invalid command line exits with 64",
        arguments: [
            ["frobnicate"], ["work"], ["work", "resolvee"], ["produce", "--rate", "x"], ["up", "--listen", "x"],
            ["topics", "list", "--brokers", "localhost"], ["list", "--limit", "0"], ["up", "--log-level", "loud"],
            ["topics", "create", "--partitions", "0"], ["up", "--trace-sample", "2"],
            ["work", "resolve", "--trace-sample", "x"],
        ]
    )
    func invalidCommandLineExitsWith64(arguments: [String]) async {
        #expect(await RootCommand.run(arguments) == 64)
    }

    @Test("Help and version succeed", arguments: [["--help"], ["--version"], ["help", "work"]])
    func helpAndVersionSucceed(arguments: [String]) async {
        #expect(await RootCommand.run(arguments) == 0)
    }

    @Test(
        "A command's help begins with its own options, and each common one is a line",
        arguments: [["list"], ["cancel"], ["up"], ["dead-letters", "redrive"]]
    )
    func helpBeginsWithOwnOptions(command: [String]) async throws {
        let lines = await Printed.by(command + ["--help"]).lines
        let common = try #require(lines.firstIndex { $0.hasPrefix("  --brokers") || $0.hasPrefix("  --config") })
        let own = lines[..<common].filter { $0.hasPrefix("  -") }
        #expect(own.count >= 5)
        let names = lines[common...].compactMap { $0.split(separator: " ").first }
        #expect(
            names.suffix(9) == [
                "--config", "--data", "--prefix", "--definitions", "--samples", "--log-level", "--log-format",
                "--version", "-h,",
            ]
        )
        #expect(names.count <= 10 && names.allSatisfy { $0.hasPrefix("-") })
    }

    @Test("Without a broker 69, without records 66, without a configuration file 66")
    func missingInputExitsWith66Or69() async throws {
        let directory = try TemporaryDirectory()
        #expect(await RootCommand.run(["lag", "--data", directory.path]) == 69)
        #expect(await RootCommand.run(["list", "--data", directory.path]) == 66)
        #expect(await RootCommand.run(["lag", "--config", directory.file("nope.yaml")]) == 66)
        let data = try directory.write("", to: "file")
        #expect(await RootCommand.run(["up", "--data", data]) == 69)
    }

    @Test("Invalid data 65, invalid configuration 78")
    func invalidDataExitsWith65AndConfigurationWith78() async throws {
        let directory = try TemporaryDirectory()
        let events = try directory.write("{\"type\":\"intent.requested\",\"da", to: "e.ndjson")
        #expect(await RootCommand.run(["produce", "--check", events]) == 65)
        let configuration = try directory.write("promts: {}\n", to: "c.yaml")
        #expect(await RootCommand.run(["config", "check", "--config", configuration]) == 78)
    }
}
