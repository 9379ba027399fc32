import ArgumentParser
import Foundation
import IntentAudit
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
            A scenario is one JSON object per line. Without --brokers everything runs in this process, in a directory of \
            its own: a temporary one, which is removed at the end, or with --data one in that directory, which is kept. \
            With --external-workers the workers that run on --brokers, or on the embedded broker of --data, are tested; \
            they must have been started with --scripted.

            Without --external-workers the stores contain demo data (contacts, messages, calls, accounts) for each user \
            of a scenario whose intent has some.

            The scenarios are played in a process of their own: a handler that ends it is reported with its scenario, and \
            the others are played all the same. --in-process plays them in this process, for debuggers.

            At the end every turn that the workers ran is replayed, as `replay` does it; a scenario one of whose turns \
            gives another result does not match. --no-replay leaves that out, and so does --external-workers.

            The last line is `Matched N, Mismatched N, ExecutionError N`; the exit status is 0 only if all matched.
            """
    )

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

    @Flag(inversion: .prefixedNo, help: "Replay every turn at the end.")
    var replay = true

    @Flag(help: "Play in this process, for debuggers: a handler that crashes ends it.")
    var inProcess = false

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (1...100_000).contains(self.concurrency) else { throw ValidationError("--concurrency is 1 to 100000") }
        guard (1...86_400).contains(self.timeout) else { throw ValidationError("--timeout is 1 to 86400 seconds") }
        guard (1...1_000).contains(self.instances) else { throw ValidationError("--instances is 1 to 1000") }
    }

    func run() async throws {
        let files = try self.readFiles()
        if let child = try TestChild.ofProcess() { return try await self.play(files, as: child) }
        var configuration = try self.common.load(brokers: self.brokers)
        let directory = try self.makeDirectory(configuration)
        defer { directory?.remove() }
        if let directory { configuration.use(directory.path) }
        let report: ScenarioReport
        if self.externalWorkers {
            report = try await self.playExternally(files, configuration)
        } else if configuration.brokers.isEmpty, self.startsProcesses {
            report = try await self.playInProcesses(files, configuration)
        } else {
            let (played, replay) = try await self.play(files, configuration, as: nil)
            report = played.adding(replay)
        }
        try self.write(report, keptIn: directory?.isKept == true ? directory?.path : nil)
        guard report.isMatched else { throw ExitCode(ExitStatus.checkFailed.rawValue) }
    }

    private func readFiles() throws(OperationError) -> [ScenarioInput] {
        var files: [ScenarioInput] = []
        var count = 0
        for path in self.files {
            let file = try ScenarioInput(path: path, first: count)
            count += file.entries.count
            files.append(file)
        }
        return files
    }

    // MARK: Processes

    /// Whether scenarios may be played in processes of their own.
    ///
    /// A debugger follows this one. With named brokers they are not: those would give the turn that ended a process to
    /// the next one.
    private var startsProcesses: Bool {
        guard !self.inProcess, TestChild.isPossible else { return false }
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        return status.contains("TracerPid:\t0\n")
    }

    /// Plays in processes of their own.
    private func playInProcesses(
        _ files: [ScenarioInput],
        _ configuration: Configuration
    ) async throws -> ScenarioReport {
        let began = ContinuousClock.now
        let entries = files.enumerated()
            .flatMap { index, file in
                file.entries.map { TestParent.Entry(file: index, scenario: $0.scenario) }
            }
        let parent = TestParent(entries: entries, files: files.count, configuration: configuration)
        let (results, replay) = try await parent.play()
        let locations = files.flatMap { file in file.entries.map { "\(file.path):\($0.line)" } }
        return ScenarioReport(results, locations: locations, duration: .now - began).adding(replay)
    }

    /// Plays what the parent says, as its child.
    private func play(_ files: [ScenarioInput], as child: TestChild) async throws {
        // The parent has reported the warnings.
        var configuration = try self.common.load(brokers: self.brokers, warns: false)
        configuration.use(child.plan.data)
        let chosen = Set(child.plan.scenarios)
        let (_, replay) = try await self.play(files.map { $0.choosing(chosen) }, configuration, as: child)
        child.finish(replay)
    }

    /// The part of interactions' ids that distinguishes a run: scenarios of two files may have the same name.
    static func runID(_ run: String, file: Int, of files: Int) -> String { files == 1 ? run : "\(run).\(file)" }

    // MARK: Playing

    /// Makes the directory of this run alone, so that it finds nothing that an earlier one has done; nil where the
    /// directory is given.
    ///
    /// External workers have their own. The store that belongs to the topics of named brokers cannot be another one each
    /// time, so there `--data` is the directory itself.
    private func makeDirectory(_ configuration: Configuration) throws(OperationError) -> ScratchDirectory? {
        guard !self.externalWorkers else { return nil }
        guard let parent = self.common.data else { return try ScratchDirectory(prefix: "intentd-test") }
        guard configuration.brokers.isEmpty else { return nil }
        return try ScratchDirectory(in: parent, prefix: "test", at: SystemRuntimeClock().now)
    }

    /// Plays against the running workers.
    private func playExternally(_ files: [ScenarioInput], _ configuration: Configuration) async throws -> ScenarioReport
    {
        try await LogAccess.find(configuration)
            .use { log in
                let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
                return try await self.play(files, deployment, log, Self.makeRun())
            }
    }

    /// Plays against workers of this process, and replays what they have run.
    private func play(
        _ files: [ScenarioInput],
        _ configuration: Configuration,
        as child: TestChild?
    ) async throws -> (ScenarioReport, TestReplay?) {
        let intents = try IntentSet(configuration)
        // Named brokers may hold the turns of earlier runs.
        let began = SystemRuntimeClock().now
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
                let run = Self.makeRun()
                child?.announce(deployment: assembly.deployment.id, worker: name.text, run: run)
                let report = try await assembly.run(services)
                    .during {
                        try await self.play(files, assembly.deployment, log, run, as: child)
                    }
                withExtendedLifetime(name) {}
                var replay: TestReplay?
                if self.replay { replay = try await Self.replay(assembly, since: began, as: child) }
                return (report, replay)
            }
    }

    private static func makeRun() -> String { String(UInt32.random(in: 0 ... .max), radix: 36) }

    /// Replays the turns of the run.
    private static func replay(
        _ assembly: Assembly,
        since: Timestamp,
        as child: TestChild?
    ) async throws -> TestReplay {
        let operations = Operations(
            assembly.configuration,
            intents: assembly.intents,
            topics: (assembly.log, assembly.deployment)
        )
        var selection = ReplaySelection()
        selection.since = since
        let progress = child == nil ? WorkProgress("turns") : nil
        let replayed = try await operations.replay(selection) { progress?.update($0, of: $1) }
        progress?.finish()
        return TestReplay(
            turns: replayed.turns,
            unmatched: replayed.turns - (replayed.counts[.matched] ?? 0),
            differences: replayed.verdicts.map { verdict in
                let lines = verdict.lines(operations.masking).map { $0.trimmingCharacters(in: .whitespaces) }
                return (verdict.interactionID, "does not replay: \(lines.joined(separator: "; "))")
            }
        )
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
        _ log: any EventLog,
        _ run: String,
        as child: TestChild? = nil
    ) async throws -> ScenarioReport {
        let client = try await ConversationClient(deployment, on: log, source: "/intentd/test")
        // The parent shows the progress of all its processes.
        let progress = child == nil ? WorkProgress("scenarios") : nil
        let total = Int64(files.reduce(0) { $0 + $1.entries.count })
        let began = ContinuousClock.now
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            var report = ScenarioReport([], duration: .zero)
            for (index, file) in files.enumerated() {
                let player = ScenarioPlayer(client, self.playing(Self.runID(run, file: index, of: files.count)))
                let places = file.places
                report.results += await player.play(file.entries.map(\.scenario)) { result in
                    progress?.advance(of: total)
                    if let child, let place = places[result.scenario.name] { child.report(result, at: place) }
                }
                report.locations += file.entries.map { "\(file.path):\($0.line)" }
            }
            report.duration = .now - began
            progress?.finish()
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

    private func write(_ report: ScenarioReport, keptIn directory: String?) throws {
        if let json { try OutputFile.write(report.json.description + "\n", to: json) }
        if let junit { try OutputFile.write(report.junit, to: junit) }
        StandardError.write(
            "\(report.results.count) scenarios in \(String(format: "%.1f", Double(report.duration.milliseconds) / 1_000)) s\n"
        )
        var lines = report.summary.split(separator: "\n").map(String.init)
        if let directory { lines.insert("Kept in \(directory)", at: lines.count - 1) }
        for (index, line) in lines.enumerated() {
            let isVerdict = index == lines.count - 1 || !line.hasPrefix(" ")
            let style = report.isMatched ? TextStyle.output.good : TextStyle.output.bad
            StandardOutput.printWrapped(line, isVerdict ? style : { $0 })
        }
    }
}

/// A file of scenarios, all of which can be played.
private struct ScenarioInput {
    let path: String
    private(set) var entries: [ScenarioFile.Entry]
    /// The places of its scenarios in all files, by name.
    let places: [String: Int]

    /// Reads a file; lists everything that is wrong with it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - first: The place of its first scenario.
    /// - Throws: ``OperationError``, `badData`; `noInput`.
    init(path: String, first: Int) throws(OperationError) {
        let file = ScenarioFile(parsing: Array(try InputFile.data(of: path, maximumBytes: 256 << 20)))
        guard file.problems.isEmpty else {
            let lines = file.problems.prefix(20).map { "\(path):\($0)" }
            let more = file.problems.count > 20 ? ["\(file.problems.count - 20) more"] : []
            throw OperationError(.badData, (lines + more).joined(separator: "\n"))
        }
        guard !file.entries.isEmpty else { throw OperationError(.badData, "\(path): contains no scenarios") }
        self.path = path
        self.entries = file.entries
        var places: [String: Int] = [:]
        for (index, entry) in file.entries.enumerated() { places[entry.scenario.name] = first + index }
        self.places = places
    }

    /// The file with those scenarios alone whose places are chosen.
    func choosing(_ chosen: Set<Int>) -> ScenarioInput {
        var file = self
        file.entries = self.entries.filter { self.places[$0.scenario.name].map(chosen.contains) ?? false }
        return file
    }
}

extension Configuration {
    /// Uses this data directory.
    mutating func use(_ path: String) {
        self.values[Setting.data.key] = Entry(value: .text(path), origin: .commandLine("--data"))
    }
}

extension ScenarioReport {
    /// The report with what was replayed, if anything was.
    fileprivate func adding(_ replay: TestReplay?) -> ScenarioReport {
        guard let replay else { return self }
        var report = self
        report.addReplay(of: replay.turns, unmatched: replay.unmatched, replay.differences)
        return report
    }
}
