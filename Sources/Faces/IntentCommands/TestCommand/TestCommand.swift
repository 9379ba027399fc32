import ArgumentParser
import Foundation
import IntentEvents
import IntentKit
import IntentOperations
import IntentRuntime
import IntentScenarios

/// `intentd test`: plays scenarios and compares the results.
struct TestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Run scenarios through the real pipeline and compare the results with the expected ones.",
        discussion: """
            A scenario is one JSON object per line. Without --data and --brokers everything runs in this process, in a \
            temporary directory, which is removed at the end. With --external-workers the workers that run on \
            --brokers, or on the embedded broker of --data, are tested; they must have been started with --scripted.

            Without --external-workers the stores contain demo data (contacts, messages, calls, accounts) for each user \
            of a scenario whose intent has some.

            The last line is `Matched N, Mismatched N, ExecutionError N`; the exit status is 0 only if all matched.
            """
    )

    @OptionGroup var common: CommonOptions
    @OptionGroup var brokers: BrokersOption
    @OptionGroup var listening: ListenOption

    @Argument(help: "Scenario files.")
    var files: [String]

    @Option(help: ArgumentHelp("Write the results as JSON to this file.", valueName: "file"))
    var json: String?

    @Option(help: ArgumentHelp("Write the results as JUnit XML to this file.", valueName: "file"))
    var junit: String?

    @Option(help: "Number of users whose scenarios run concurrently.")
    var concurrency = 512

    @Option(help: ArgumentHelp("Timeout of a scenario.", valueName: "seconds"))
    var timeout = 60

    @Option(help: "Number of lanes per stage.")
    var instances = 1

    @Flag(help: "Test workers that are already running instead of starting them.")
    var externalWorkers = false

    func validate() throws {
        guard (1...100_000).contains(self.concurrency) else { throw ValidationError("--concurrency is 1 to 100000") }
        guard (1...86_400).contains(self.timeout) else { throw ValidationError("--timeout is 1 to 86400 seconds") }
        guard (1...1_000).contains(self.instances) else { throw ValidationError("--instances is 1 to 1000") }
    }

    func run() async throws {
        let files = try self.files.map(ScenarioInput.init(path:))
        var common = self.common
        let needsScratch = common.data == nil && !self.externalWorkers
        let scratch = needsScratch ? try ScratchDirectory(prefix: "intentd-test") : nil
        if let scratch { common.data = scratch.path }
        defer { scratch?.remove() }
        let configuration = try common.load(brokers: self.brokers)
        let report =
            try await self.externalWorkers ? self.playExternally(files, configuration) : self.play(files, configuration)
        try self.write(report)
        guard report.isMatched else { throw ExitCode(ExitStatus.checkFailed.rawValue) }
    }

    /// Plays against the running workers.
    private func playExternally(_ files: [ScenarioInput], _ configuration: Configuration) async throws -> ScenarioReport
    {
        try await LogAccess.find(configuration)
            .use { log in
                let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
                return try await self.play(files, deployment, log)
            }
    }

    /// Plays against workers of this process.
    private func play(_ files: [ScenarioInput], _ configuration: Configuration) async throws -> ScenarioReport {
        let intents = try IntentSet(configuration)
        return try await LogAccess.start(configuration, listen: self.listening.listen)
            .use { log in
                let assembly = try await Assembly.make(configuration, log: log, intents: intents, creatingTopics: true)
                try await Self.addDemoData(for: files, assembly)
                let name = try WorkerName.claim(in: configuration.data)
                let services = try assembly.services(
                    WorkerRole.allCases,
                    name: name.text,
                    lanes: self.instances,
                    isScripted: true,
                    departure: Departure(.leaveGroup)
                )
                let report = try await assembly.run(services)
                    .during {
                        try await self.play(files, assembly.deployment, log)
                    }
                withExtendedLifetime(name) {}
                return report
            }
    }

    /// Stores the data that the apps would have stored for the users.
    private static func addDemoData(for files: [ScenarioInput], _ assembly: Assembly) async throws {
        guard let ledger = assembly.ledger else { return }
        let scenarios = files.flatMap(\.entries).map(\.scenario)
        let run = String(UInt64.random(in: .min ... .max), radix: 36)
        for intentExtension in assembly.intents.extensions where intentExtension.addDemoData != nil {
            let names = Set(intentExtension.registrations.map(\.intentName))
            let users = Set(scenarios.filter { names.contains($0.intent.name) }.map(\.userID.text))
            try await ledger.addDemoData(of: [intentExtension], for: users, run: run)
        }
    }

    private func play(
        _ files: [ScenarioInput],
        _ deployment: Deployment,
        _ log: any EventLog
    ) async throws -> ScenarioReport {
        let client = try await ConversationClient(deployment, on: log, source: "/intentd/test")
        let progress = WorkProgress("scenarios")
        let total = Int64(files.reduce(0) { $0 + $1.entries.count })
        let began = ContinuousClock.now
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            let run = String(UInt32.random(in: 0 ... .max), radix: 36)
            var report = ScenarioReport([], duration: .zero)
            for (index, file) in files.enumerated() {
                // Scenarios of two files may have the same name.
                let player = ScenarioPlayer(client, self.playing(files.count == 1 ? run : "\(run).\(index)"))
                report.results += await player.play(file.entries.map(\.scenario)) { _ in progress.advance(of: total) }
                report.locations += file.entries.map { "\(file.path):\($0.line)" }
            }
            report.duration = .now - began
            progress.finish()
            group.cancelAll()
            try await group.waitForAll()
            return report
        }
    }

    /// How the scenarios of a run are played.
    func playing(_ runID: String) -> ScenarioPlayer.Configuration {
        var configuration = ScenarioPlayer.Configuration(runID: runID)
        configuration.concurrency = self.concurrency
        configuration.timeout = .seconds(self.timeout)
        return configuration
    }

    private func write(_ report: ScenarioReport) throws {
        if let json { try OutputFile.write(report.json.description + "\n", to: json) }
        if let junit { try OutputFile.write(report.junit, to: junit) }
        StandardError.write(
            "\(report.results.count) scenarios in \(String(format: "%.1f", Double(report.duration.milliseconds) / 1_000)) s\n"
        )
        let lines = report.summary.split(separator: "\n")
        for (index, line) in lines.enumerated() {
            let isVerdict = index == lines.count - 1 || !line.hasPrefix(" ")
            let style = report.isMatched ? TextStyle.output.good : TextStyle.output.bad
            StandardOutput.printWrapped(String(line), isVerdict ? style : { $0 })
        }
    }
}

/// A file of scenarios, all of which can be played.
private struct ScenarioInput {
    let path: String
    let entries: [ScenarioFile.Entry]

    /// Reads a file; lists everything that is wrong with it.
    init(path: String) throws(OperationError) {
        let file = ScenarioFile(parsing: Array(try InputFile.data(of: path, maximumBytes: 256 << 20)))
        guard file.problems.isEmpty else {
            let lines = file.problems.prefix(20).map { "\(path):\($0)" }
            let more = file.problems.count > 20 ? ["\(file.problems.count - 20) more"] : []
            throw OperationError(.badData, (lines + more).joined(separator: "\n"))
        }
        guard !file.entries.isEmpty else { throw OperationError(.badData, "\(path): contains no scenarios") }
        self.path = path
        self.entries = file.entries
    }
}
