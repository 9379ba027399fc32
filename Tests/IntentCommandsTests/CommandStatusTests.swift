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
