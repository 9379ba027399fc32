internal import IntentEvents
internal import IntentLedger
internal import IntentRuntime
internal import SQLiteStore

/// Compares the effects' ledger with what turns journaled (R30, R46).
///
/// Each journaled effect has its row, with the result that the turn was given: in `effects`, or in `undone_effects` if it
/// was undone; and each journaled undo has its row there (R75). Where an interaction has ended, the rows are
/// those that its terminal response names. A row of an interaction that has not ended, or that an earlier version
/// ended, is no finding by itself: an effect is recorded before its turn is committed, so a worker that crashed leaves
/// such a row.
struct LedgerCheck {
    /// The number of effects that a note names.
    private static let named = 5

    private let log: any EventLog
    private let deployment: Deployment
    private let journaled: [JournaledEffects]
    private let publicKey: VerifyingKey?

    init(
        _ deployment: Deployment,
        on log: any EventLog,
        _ journaled: [JournaledEffects],
        publicKey: VerifyingKey?
    ) {
        self.log = log
        self.publicKey = publicKey
        self.deployment = deployment
        self.journaled = journaled.sorted { $0.partition < $1.partition }
    }

    func run(on ledger: LedgerLocation) async throws -> AuditReport {
        var report = AuditReport()
        guard let archive = try await ledger.archive() else {
            if self.journaled.contains(where: { !$0.made.isEmpty }) {
                report.notes.append(
                    "The store \(ledger.name) was not found: the effects of turns were not compared with its ledger."
                )
            }
            return report
        }
        if let owner = try await archive.deployment(), owner != self.deployment.id {
            let detail = "The ledger belongs to deployment \(owner), but these topics belong to \(self.deployment.id)."
            report.findings.append(AuditFinding(.effect, ledger.name, detail))
            return report
        }
        let marks = try await archive.cuts()
        report.add(CutCheck(marks, publicKey: self.publicKey).report)
        let cut = marks.map(\.before.milliseconds).max() ?? .min
        var unexplained: [String] = []
        var old = 0
        for part in self.journaled {
            let effects = try await archive.effects(ofPartition: part.partition)
            let closed = try await archive.closed(ofPartition: part.partition)
            report.effects += effects.count
            let undone = try await archive.undone(ofPartition: part.partition)
            var ordinals: [JournaledEffects.Key: Set<Int>] = [:]
            for effect in effects + undone.map(\.effect) {
                let key = JournaledEffects.Key(origin: effect.request, name: effect.name)
                ordinals[key, default: []].insert(effect.ordinal)
            }
            let rows = ordinals.mapValues(\.count)
            report.findings += Self.findMissing(undone, part, cut) + Self.findChanged(undone, part)
            let named = part.namedEffects
            let unnamed = try await self.findUnnamed(effects, part, named)
            report.findings += unnamed.findings
            for effect in effects {
                let key = JournaledEffects.Key(origin: effect.request, name: effect.name)
                let location = "effects \(effect.request) \(effect.name) \(effect.ordinal)"
                guard let made = part.made[key], effect.ordinal < made.asked else {
                    guard effect.ordinal >= named[key] ?? 0, !unnamed.origins.contains(key.origin) else { continue }
                    if effect.at < part.since { old += 1 } else { unexplained.append(location) }
                    continue
                }
                let digest = RecordIndex.digest(RecordDigest.of(effect.result))
                guard let digest, !made.results.contains(digest), made.succeeded > 0 else { continue }
                let detail = "Its result differs from the one that turn \(made.turn) received."
                report.findings.append(AuditFinding(.effect, location, detail))
            }
            for (key, made) in part.made where rows[key, default: 0] < made.succeeded && made.at >= cut {
                let detail =
                    "Turn \(made.turn) made the effect, but the ledger does not hold it: a retry would make it again."
                report.findings.append(AuditFinding(.effect, "effects \(key.origin) \(key.name)", detail))
            }
            for (key, count) in named
            where rows[key, default: 0] < count && rows[key, default: 0] >= part.made[key]?.succeeded ?? 0 {
                guard let end = part.ends[key.origin]?.values.first(where: { $0.names.contains(key.name) }),
                    end.at >= cut
                else { continue }
                let detail =
                    "Turn \(end.turn) ended the interaction and named the effect, but the ledger does not hold it."
                report.findings.append(AuditFinding(.effect, "effects \(key.origin) \(key.name)", detail))
            }
            for (request, close) in part.closed where !closed.contains(request) && close.at >= cut {
                let detail =
                    "Turn \(close.turn) closed the ledger, but it is open: effects could be made after the end."
                report.findings.append(AuditFinding(.effect, "closed_ledgers \(request)", detail))
            }
        }
        report.findings += try await self.findRequestsBeyondTheEnd(archive)
        report.findings.sort { $0.location < $1.location }
        self.record(unexplained, old, &report)
        return report
    }

    /// Finds undos that turns have journaled, and that the ledger does not hold.
    private static func findMissing(
        _ undone: [LedgerArchive.UndoneEffect],
        _ part: JournaledEffects,
        _ cut: Int64
    ) -> [AuditFinding] {
        let rows = Set(
            undone.map {
                JournaledEffects.Undone(
                    origin: $0.effect.request,
                    name: $0.effect.name,
                    ordinal: $0.effect.ordinal,
                    undoneBy: $0.undoneBy,
                    round: $0.round
                )
            }
        )
        return part.undone.compactMap { key, undo in
            guard !rows.contains(key), undo.at >= cut else { return nil }
            return AuditFinding(
                .effect,
                "undone_effects \(key.origin) \(key.name) \(key.ordinal)",
                "Turn \(undo.turn) undid the effect, but the ledger does not hold that: it could be undone again."
            )
        }
    }

    /// Finds undone effects whose result is not the one that turns were given.
    private static func findChanged(
        _ undone: [LedgerArchive.UndoneEffect],
        _ part: JournaledEffects
    ) -> [AuditFinding] {
        undone.compactMap { row in
            let key = JournaledEffects.Key(origin: row.effect.request, name: row.effect.name)
            guard let made = part.made[key], row.effect.ordinal < made.asked, made.succeeded > 0,
                let digest = RecordIndex.digest(RecordDigest.of(row.effect.result)), !made.results.contains(digest)
            else { return nil }
            return AuditFinding(
                .effect,
                "undone_effects \(row.effect.request) \(row.effect.name) \(row.effect.ordinal)",
                "Its result differs from the one that turn \(made.turn) received."
            )
        }
    }

    /// Finds effects of interactions that have ended, and that no terminal response names.
    ///
    /// A request that was redriven shares its effects with the one that follows it, and that one may not have ended.
    ///
    /// - Returns: The findings, and the first requests of those interactions.
    private func findUnnamed(
        _ effects: [LedgerArchive.Effect],
        _ part: JournaledEffects,
        _ named: [JournaledEffects.Key: Int]
    ) async throws -> (findings: [AuditFinding], origins: Set<String>) {
        var counts: [JournaledEffects.Key: Int] = [:]
        for effect in effects where part.ends[effect.request] != nil {
            counts[JournaledEffects.Key(origin: effect.request, name: effect.name), default: 0] += 1
        }
        counts = counts.filter { $0.value > named[$0.key] ?? 0 }
        guard !counts.isEmpty else { return ([], []) }
        // Read after the ledger: a request that made an effect was on its topic before.
        var open = Set(part.openOrigins)
        try await self.readLaterRequests(part) { record in
            if let origin = record.header(EventHeaderName.redriveOf) { open.insert(origin) }
        }
        var findings: [AuditFinding] = []
        for (key, count) in counts where !open.contains(key.origin) {
            guard let end = part.ends[key.origin]?.values.max(by: { $0.at < $1.at }) else { continue }
            let detail =
                "The ledger holds \(count), but turn \(end.turn), which ended the interaction, named \(named[key] ?? 0)."
            findings.append(AuditFinding(.effect, "effects \(key.origin) \(key.name)", detail))
        }
        return (findings, Set(counts.keys.map(\.origin)).subtracting(open))
    }

    /// Reads the requests that came after those of which the partition's turns were verified.
    private func readLaterRequests(_ part: JournaledEffects, _ body: (LogRecord) -> Void) async throws {
        let topicPartition = self.deployment.topicPartition(.requests, part.partition)
        let end = try await self.log.offsets([topicPartition], at: .end)[topicPartition] ?? 0
        let cursor = PartitionCursor(self.log, topicPartition, from: part.requestsEnd, to: end)
        while let records = try await cursor.next() { records.forEach(body) }
    }

    /// Finds requests in the ledger that are beyond the topic's end: other requests will get those positions (R31).
    private func findRequestsBeyondTheEnd(_ archive: LedgerArchive) async throws -> [AuditFinding] {
        var last: [TopicPartition: Int64] = [:]
        for partition in self.journaled.map(\.partition) {
            let topicPartition = self.deployment.topicPartition(.requests, partition)
            last[topicPartition] = try await archive.lastRequest(inPartition: partition)
        }
        // Read afterwards: all that comes meanwhile is then before the end.
        let ends = try await self.log.offsets(Array(last.keys), at: .end)
        return last.compactMap { topicPartition, offset in
            guard let end = ends[topicPartition], offset >= end else { return nil }
            let detail =
                "The ledger has requests up to this offset, but the topic ends at \(end): it was restored or truncated."
            let position = RecordPosition(.requests, topicPartition.partition, offset)
            return AuditFinding(.effect, position.description, detail)
        }
    }

    private func record(_ unexplained: [String], _ old: Int, _ report: inout AuditReport) {
        if old > 0 { report.notes.append("\(old) effects are older than the journal: they were not compared.") }
        guard !unexplained.isEmpty else { return }
        let more = unexplained.count > Self.named ? " and \(unexplained.count - Self.named) more" : ""
        report.notes.append(
            "No committed turn made \(unexplained.prefix(Self.named).joined(separator: ", "))\(more): either a crash left these "
                + "rows, and the interaction's end will name them, or they were added by hand."
        )
    }
}
