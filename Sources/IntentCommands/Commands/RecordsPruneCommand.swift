import ArgumentParser
import Foundation
import IntentEvents
import IntentKit
import IntentRuntime
import IntentStore

/// `intentd records prune`: removes old records and effects.
struct RecordsPruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Remove records and effects of before a time.",
        discussion: """
            What a topic, an open interaction or a dead letter could still ask for stays, however old it is. A recorder that \
            runs is asked to do it, and goes on recording meanwhile; without one it is done here. Room that becomes free is \
            used again; files do not shrink. A mark of what was removed is left in each file, signed when audit.keyFile names \
            a key, and `audit verify` and `replay --into` keep to it. With records.retentionDays set, workers do this \
            themselves.
            """
    )

    @Option(
        help: ArgumentHelp("Remove what is older than this, such as 90d.", valueName: "duration"),
        transform: { text in
            guard let duration = DurationText.read(text) else {
                throw ValidationError("'\(text)' is no duration, such as 90d")
            }
            return duration
        }
    )
    var olderThan: Duration?

    @Option(
        help: ArgumentHelp("Remove what is from before this time.", valueName: "time"),
        transform: TimeArgument.read
    )
    var before: Timestamp?

    @Flag(help: "Only say how many rows would be removed.")
    var dryRun = false

    @OptionGroup var common: CommonOptions
    @OptionGroup var brokers: BrokersOption
    @OptionGroup var output: JSONOption

    func validate() throws {
        guard (self.olderThan == nil) != (self.before == nil) else {
            throw ValidationError("say how old: --older-than or --before")
        }
    }

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let now = SystemRuntimeClock().now
        let before = self.before ?? now + -(self.olderThan?.milliseconds ?? 0)
        try RecordRetention(configuration).check(before: before, at: now)
        let key = try SigningKeyFile(configuration)?.read()
        PrivateFiles.begin()
        let counts = try await WorkProgress.during {
            try await LogAccess.find(configuration)
                .use { log in
                    let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
                    let records = try await self.pruneRecords(configuration, deployment, before, now, key)
                    let ledger = try await self.pruneLedger(configuration, deployment, log, before, now, key)
                    return records.merging(ledger) { first, _ in first }
                }
        }
        self.report(counts, before)
    }

    /// Makes the recorder's process prune the records, or prunes them here; returns the number of removed rows, by
    /// table.
    private func pruneRecords(
        _ configuration: Configuration,
        _ deployment: Deployment,
        _ before: Timestamp,
        _ now: Timestamp,
        _ key: SigningKey?
    ) async throws -> [String: Int] {
        let path = configuration.data.records
        let archive = try await RecordArchive.open(at: path)
        if self.dryRun { return try await archive.rows(before: before) }
        if let removed = try await self.pruneIfFree(path, deployment, before, now, key) { return removed }
        let rows = try await archive.rows(before: before)
        let request = PruneRequest(records: path)
        try request.make(before: before)
        StandardError.write("the recorder that runs on \(path) is asked to do it\n")
        while request.isOpen {
            do {
                try await Task.sleep(for: .milliseconds(200))
            } catch {
                request.close()
                throw error
            }
            // The process may have ended without seeing the request.
            guard request.isOpen else { break }
            if let removed = try await self.pruneIfFree(path, deployment, before, now, key) {
                request.close()
                return removed
            }
        }
        return rows
    }

    private func pruneIfFree(
        _ path: String,
        _ deployment: Deployment,
        _ before: Timestamp,
        _ now: Timestamp,
        _ key: SigningKey?
    ) async throws -> [String: Int]? {
        guard let database = try await RecordDatabase.openIfFree(at: path, prefix: deployment.prefix) else {
            return nil
        }
        do {
            let removed = try await database.prune(before: before, deployment: deployment.id, at: now, signedBy: key)
            await database.close()
            return removed
        } catch {
            await database.close()
            throw error
        }
    }

    private func pruneLedger(
        _ configuration: Configuration,
        _ deployment: Deployment,
        _ log: any EventLog,
        _ before: Timestamp,
        _ now: Timestamp,
        _ key: SigningKey?
    ) async throws -> [String: Int] {
        guard let place = try await configuration.existingLedger() else { return [:] }
        let ledger =
            switch place {
            case .store(let store): store
            case .file: try await configuration.openLedger([])
            }
        try await ledger.join(deployment, on: log)
        let reach = try await LedgerReach.read(deployment, on: log)
        let counts =
            self.dryRun
            ? try await ledger.prunable(before: before, reach: reach)
            : try await ledger.prune(before: before, reach: reach, deployment: deployment.id, at: now, signedBy: key)
        return ["effects": counts.effects, "closed_ledgers": counts.ends].filter { $0.value > 0 }
    }

    private func report(_ counts: [String: Int], _ before: Timestamp) {
        if self.output.json {
            StandardOutput.print([
                "before": .string(before.description), "dryRun": .bool(self.dryRun),
                "rows": .object(counts.mapValues { .integer(Int64($0)) }),
            ])
            return
        }
        let verb = self.dryRun ? "would be removed" : "removed"
        for (table, count) in counts.sorted(by: { $0.key < $1.key }) {
            StandardOutput.print("\(table)  \(count) \(count == 1 ? "row" : "rows") \(verb)")
        }
        if counts.isEmpty { StandardOutput.print("nothing is from before \(before)") }
    }
}
