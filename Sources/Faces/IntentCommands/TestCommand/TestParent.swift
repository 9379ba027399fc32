import ArgumentParser
import Foundation
import IntentEvents
import IntentKit
import IntentOperations
import IntentRuntime
import IntentScenarios
import Synchronization

/// Plays scenarios in processes of their own, and finds the scenario of which such a process has died.
struct TestParent {
    /// A scenario with its place.
    struct Entry {
        /// The number of its file.
        var file: Int
        var scenario: Scenario
    }

    /// What one process has said.
    private struct Said: Sendable {
        var deployment = ""
        var worker = ""
        var run = ""
        var results: [Int: ScenarioResult] = [:]
        var hasEnded = false
        var replay: TestReplay?
    }

    /// The signals by which a process crashes, by itself.
    private static let crashes: [Int32: String] = [
        SIGILL: "SIGILL", SIGTRAP: "SIGTRAP", SIGSEGV: "SIGSEGV", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE",
        SIGABRT: "SIGABRT",
    ]

    let entries: [Entry]
    /// The number of files.
    let files: Int
    /// The configuration; its directory is the run's.
    let configuration: Configuration

    /// Plays everything.
    ///
    /// - Returns: The results in the order of the scenarios, and what was replayed; nil when nothing was.
    /// - Throws: ``OperationError``; `ExitCode` with the status of a process that has reported why it ended.
    func play() async throws -> (results: [ScenarioResult], replay: TestReplay?) {
        var rounds = ScenarioRounds(count: self.entries.count)
        var results: [Int: ScenarioResult] = [:]
        var replay: TestReplay?
        let progress = WorkProgress("scenarios")
        let total = Int64(self.entries.count)
        while let round = rounds.next() {
            var configuration = self.configuration
            let base = configuration.data.path
            let path = rounds.processes == 1 ? base : "\(base)/again-\(rounds.processes - 1)"
            configuration.use(path)
            let said = Mutex(Said())
            let began = ContinuousClock.now
            let end = try await ChildProcess.run(TestChild.Plan(data: path, scenarios: round).json.utf8) { line in
                guard self.read(line, into: said) else { return }
                progress.advance(of: total)
            }
            let process = said.withLock(\.self)
            for (index, result) in process.results {
                rounds.finish(index)
                results[index] = result
            }
            if let more = process.replay {
                replay?.add(more)
                replay = replay ?? more
            }
            switch end {
            case .exited(let status):
                guard process.hasEnded else { throw ExitCode(status == 0 ? ExitStatus.internalError.rawValue : status) }
                rounds.end()
            case .signalled(let signal):
                // All is known of one that dies at its very end.
                guard !process.hasEnded, let name = Self.crashes[signal] else {
                    rounds.end()
                    continue
                }
                let remains = CrashRemains(of: process.worker, in: configuration.data, deployment: process.deployment)
                guard !rounds.indices(in: .playing).isEmpty else {
                    throw OperationError(
                        .internalError,
                        "the process died (\(name)) when all scenarios had been played, before it had replayed their turns"
                    )
                }
                let marked = try await self.marked(by: remains, process.run, configuration)
                guard let dead = rounds.die(marked: Set(marked.keys)) else { continue }
                let scenario = self.entries[dead].scenario
                let site = remains.site.map { " (\($0))" } ?? ""
                let turn = marked[dead].map { "\($0) of" } ?? "it played"
                results[dead] = ScenarioResult(
                    scenario: scenario,
                    interactionID: self.interactionID(of: dead, process.run),
                    outcome: .executionError(
                        "the process died (\(name)) while \(turn) \"\(scenario.name)\"\(site)"
                    ),
                    transcript: ConversationTranscript(),
                    duration: .now - began
                )
            }
        }
        progress.finish()
        return (self.entries.indices.map { results[$0] ?? self.missing($0, rounds.processes) }, replay)
    }

    /// The result of a scenario that was not played.
    private func missing(_ index: Int, _ processes: Int) -> ScenarioResult {
        ScenarioResult(
            scenario: self.entries[index].scenario,
            interactionID: self.interactionID(of: index, ""),
            outcome: .executionError("it was not played: \(processes) processes have ended before"),
            transcript: ConversationTranscript(),
            duration: .zero
        )
    }

    /// The id that a run gives to the interaction of a scenario.
    private func interactionID(of index: Int, _ run: String) -> InteractionID {
        let entry = self.entries[index]
        return "\(TestCommand.runID(run, file: entry.file, of: self.files))-\(entry.scenario.name)"
    }

    /// Reads a line of a process.
    /// - Returns: Whether it is a result.
    private func read(_ line: [UInt8], into said: borrowing Mutex<Said>) -> Bool {
        guard let json = try? JSONValue(parsing: line) else { return false }
        return said.withLock { said in
            if let worker = json["worker"]?.string {
                said.worker = worker
                said.deployment = json["deployment"]?.string ?? ""
                said.run = json["run"]?.string ?? ""
            } else if json["end"] == true {
                said.hasEnded = true
                said.replay = json["replay"].flatMap(TestReplay.init)
            } else if let number = json["scenario"]?.integer, self.entries.indices.contains(Int(number)),
                let result = ScenarioResult(json["result"] ?? .null, of: self.entries[Int(number)].scenario)
            {
                said.results[Int(number)] = result
                return true
            }
            return false
        }
    }

    /// The scenarios of the turns that a process was running, each with what its turn did.
    private func marked(
        by remains: CrashRemains,
        _ run: String,
        _ configuration: Configuration
    ) async throws -> [Int: String] {
        guard !remains.turns.isEmpty else { return [:] }
        var indices: [InteractionID: Int] = [:]
        for index in self.entries.indices { indices[self.interactionID(of: index, run)] = index }
        return try await LogAccess.start(configuration, listen: nil)
            .use { log in
                var marked: [Int: String] = [:]
                for turn in remains.turns {
                    let position = turn.position
                    let topic = TopicPartition(position.topic.name(prefix: configuration.prefix), position.partition)
                    var event: Event?
                    try await log.read([topic: position.offset..<position.offset + 1]) { records in
                        event = records.first.flatMap { try? StoredRecord($0, topic: position.topic).decoded() }
                    }
                    let prompt = event?.data["promptId"]?.string.flatMap { PromptID($0) }
                    guard let event, let id = prompt?.interaction ?? event.subject, let index = indices[id] else {
                        continue
                    }
                    let verb = turn.isReading ? "read" : "processed"
                    marked[index] = "\(turn.stage.rawValue) \(verb) \(event.type)"
                }
                return marked
            }
    }
}
