package import IntentEvents
internal import IntentKit
internal import IntentLedger
internal import IntentRecords
package import IntentRuntime

/// Removes records and effects older than a time, also while a recorder uses the files.
///
/// A recorder that runs is asked to do it, since only one process writes a record database; without one it is done here.
package struct RecordPrune: Sendable {
    private let configuration: Configuration
    /// What is older is removed.
    private let before: Timestamp
    private let now: Timestamp
    /// Signs the marks of what was removed; nil when no key is configured.
    private let key: SigningKey?
    private let isDryRun: Bool
    /// Who removes, for the operators' log.
    private let by: OperatorAct.Operator

    /// Prepares to remove.
    ///
    /// - Parameters:
    ///   - before: What is older is removed.
    ///   - now: The time.
    ///   - isDryRun: Whether to remove nothing, and only count.
    ///   - by: Who removes.
    ///   - configuration: The configuration.
    /// - Throws: ``OperationError``: what is that young must stay, or the key cannot be read.
    package init(
        before: Timestamp,
        at now: Timestamp,
        isDryRun: Bool,
        by: OperatorAct.Operator,
        _ configuration: Configuration
    ) throws(OperationError) {
        try RecordRetention(configuration).check(before: before, at: now)
        self.key = try SigningKeyFile(configuration)?.read()
        self.configuration = configuration
        self.before = before
        self.now = now
        self.isDryRun = isDryRun
        self.by = by
    }

    /// Removes the rows.
    ///
    /// - Parameter waiting: Is called when a running recorder is asked to do it, and waited for.
    /// - Returns: The number of rows, by table.
    /// - Throws: ``OperationError``; `LogError`; `StoreError`.
    package func run(_ waiting: () -> Void) async throws -> [String: Int] {
        PrivateFiles.begin()
        return try await LogAccess.find(self.configuration)
            .use { log in
                let deployment = try await Deployment.load(prefix: self.configuration.prefix, from: log)
                if !self.isDryRun {
                    let desk = OperatorDesk(deployment, log: log, by: self.by)
                    try await desk.write(desk.act(.prune, details: ["before": .string(self.before.description)]))
                }
                let records = try await self.pruneRecords(deployment, waiting)
                return try await records.merging(self.pruneLedger(deployment, log)) { first, _ in first }
            }
    }

    private func pruneRecords(_ deployment: Deployment, _ waiting: () -> Void) async throws -> [String: Int] {
        let path = self.configuration.data.records
        let archive = try await RecordArchive.open(at: path)
        if self.isDryRun { return try await archive.rows(before: self.before) }
        if let removed = try await self.pruneIfFree(path, deployment) { return removed }
        let rows = try await archive.rows(before: self.before)
        let request = PruneRequest(records: path)
        try request.make(before: self.before)
        waiting()
        while request.isOpen {
            do {
                try await Task.sleep(for: .milliseconds(200))
            } catch {
                request.close()
                throw error
            }
            // The process may have ended without seeing the request.
            guard request.isOpen else { break }
            if let removed = try await self.pruneIfFree(path, deployment) {
                request.close()
                return removed
            }
        }
        return rows
    }

    private func pruneIfFree(_ path: String, _ deployment: Deployment) async throws -> [String: Int]? {
        guard let database = try await RecordDatabase.openIfFree(at: path, prefix: deployment.prefix) else {
            return nil
        }
        do {
            let removed = try await database.prune(
                before: self.before,
                deployment: deployment.id,
                at: self.now,
                signedBy: self.key
            )
            await database.close()
            return removed
        } catch {
            await database.close()
            throw error
        }
    }

    private func pruneLedger(_ deployment: Deployment, _ log: any EventLog) async throws -> [String: Int] {
        guard let location = try await self.configuration.existingLedger() else { return [:] }
        let ledger =
            switch location {
            case .store(let store): store
            case .file: try await self.configuration.openLedger([])
            }
        try await ledger.join(deployment, on: log)
        let reach = try await LedgerReach.read(deployment, on: log)
        let counts =
            self.isDryRun
            ? try await ledger.prunable(before: self.before, reach: reach)
            : try await ledger.prune(
                before: self.before,
                reach: reach,
                deployment: deployment.id,
                at: self.now,
                signedBy: self.key
            )
        return ["effects": counts.effects, "closed_ledgers": counts.ends].filter { $0.value > 0 }
    }
}
