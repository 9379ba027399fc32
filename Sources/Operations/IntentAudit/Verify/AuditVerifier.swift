package import IntentRuntime
package import IntentEvents
internal import IntentKit
package import IntentLedger

/// Verifies the chains of turns, what the turns processed and wrote, the state, and the records against the topics
/// (R46).
package struct AuditVerifier: Sendable {
    let log: any EventLog
    let deployment: Deployment
    /// The number of processors; reading waits for the network, so twice as many partitions are under way.
    private let parallelism: Int

    /// Prepares a verification; it only creates readers of the log.
    package init(log: any EventLog, deployment: Deployment, parallelism: Int) {
        self.log = log
        self.deployment = deployment
        self.parallelism = max(1, parallelism)
    }

    /// Verifies everything.
    ///
    /// - Parameters:
    ///   - records: The record database; nil leaves it out.
    ///   - store: The store with the effects' ledger; nil leaves it out.
    ///   - anchors: Heads that were kept elsewhere.
    ///   - publicKey: The key that must have signed the anchors; nil when none is given.
    ///   - now: The time, which decides what retention can have removed.
    ///   - progress: Called with the number of offsets that are passed, and their total; topics that are compared with
    ///     records count twice.
    /// - Returns: What was found.
    /// - Throws: `AuditError`; ``LogError``; `StoreError`; `CancellationError`.
    package func run(
        records: String?,
        store: LedgerLocation? = nil,
        anchors: [Anchor] = [],
        publicKey: VerifyingKey? = nil,
        at now: Timestamp = SystemRuntimeClock().now,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) async throws -> AuditReport {
        if let anchor = anchors.first(where: { $0.deployment != self.deployment.id }) {
            throw AuditError(
                .badData,
                "The anchor belongs to deployment \(anchor.deployment), but these topics belong to \(self.deployment.id)."
            )
        }
        let retention = try await self.journalRetention()
        let length = try await self.length()
        let tally = ReadingTally(total: records == nil ? length : 2 * length, progress: progress)
        var parts: [Int: PartitionVerification.Result] = [:]
        try await withThrowingTaskGroup(of: (Int, PartitionVerification.Result).self) { group in
            var next = 0
            func add() {
                guard next < self.deployment.partitions else { return }
                let partition = next
                next += 1
                let heads = anchors.flatMap { anchor in
                    anchor.heads.filter { $0.partition == partition }.map { AnchoredHead(head: $0, at: anchor.at) }
                }
                group.addTask {
                    var verification = PartitionVerification(
                        self,
                        partition: partition,
                        anchors: heads,
                        retention: retention,
                        now: now,
                        tally: tally
                    )
                    return (partition, try await verification.run())
                }
            }
            for _ in 0..<self.parallelism * 2 { add() }
            while let (partition, result) = try await group.next() {
                parts[partition] = result
                add()
            }
        }
        var report = AuditReport()
        for (_, part) in parts.sorted(by: { $0.key < $1.key }) { report.add(part.report) }
        report.findings += try await self.findMissing(parts.values.flatMap(\.sentHome))
        report.add(AnchorCheck(anchors, publicKey: publicKey).report)
        if !anchors.isEmpty, report.anchors == 0 {
            report.notes.append(
                "The journal no longer holds an anchored turn: nothing proves that it was not rewritten as a whole."
            )
        }
        if report.overwrittenStates > 0 {
            report.notes.append(
                "\(report.overwrittenStates) state values that turns wrote are no longer on the topic (overwritten in one "
                    + "batch, or compacted): they cannot be compared."
            )
        }
        if let store {
            report.add(
                try await LedgerCheck(
                    self.deployment,
                    on: self.log,
                    parts.values.map(\.effects),
                    publicKey: publicKey
                )
                .run(on: store)
            )
        }
        if let records { try await self.compare(records, publicKey, tally, into: &report) }
        let owners = FindingOwners(log: self.log, prefix: self.deployment.prefix)
        report.findings = try await owners.resolve(report.findings)
        return report
    }

    /// The time for which the journal keeps records, in milliseconds; nil when its topic does not say.
    private func journalRetention() async throws -> Int64? {
        let name = Topic.journal.name(prefix: self.deployment.prefix)
        let topic = try await self.log.topics().first { $0.name == name }
        return topic?.configuration["retention.ms"].flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// The number of offsets in the topics that are read.
    private func length() async throws -> Int64 {
        let partitions = WorkerRole.record.topics.flatMap(self.deployment.topicPartitions)
        let starts = try await self.log.offsets(partitions, at: .earliest)
        let ends = try await self.log.offsets(partitions, at: .lastStable)
        return partitions.reduce(0) { $0 + max(0, (ends[$1] ?? 0) - (starts[$1] ?? 0)) }
    }

    /// Looks for the events that were sent to another partition, their user's home (R1).
    private func findMissing(_ outputs: [PartitionVerification.SentHome]) async throws -> [AuditFinding] {
        guard !outputs.isEmpty else { return [] }
        var open = Dictionary(outputs.map { ($0.digest, $0) }) { first, _ in first }
        let partitions = self.deployment.topicPartitions(of: .requests)
        let starts = try await self.log.offsets(partitions, at: .earliest)
        let ends = try await self.log.offsets(partitions, at: .end)
        // The part that retention has removed may contain it.
        guard starts.values.allSatisfy({ $0 == 0 }) else { return [] }
        for partition in partitions {
            let cursor = PartitionCursor(self.log, partition, from: 0, to: ends[partition] ?? 0)
            while !open.isEmpty, let records = try await cursor.next() {
                for record in records { open[RecordDigest.of(record)] = nil }
            }
            await cursor.close()
        }
        return open.values.map {
            AuditFinding(
                .output,
                "requests",
                "The event that turn \($0.turn) sent to its user's partition is missing."
            )
        }
    }

    private func compare(
        _ path: String,
        _ publicKey: VerifyingKey?,
        _ tally: ReadingTally,
        into report: inout AuditReport
    ) async throws {
        let comparison = try await RecordComparison.run(
            at: path,
            with: self.log,
            prefix: self.deployment.prefix,
            progress: tally.advance
        )
        report.rows += comparison.rows
        report.notes += comparison.notes
        report.add(CutCheck(comparison.cuts, publicKey: publicKey).report)
        report.findings += comparison.differences.map { difference in
            var finding = AuditFinding(.record, difference.location, difference.detail)
            finding.values = difference.values
            return finding
        }
    }
}
