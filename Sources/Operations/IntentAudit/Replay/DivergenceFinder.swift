internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// Says where a turn with another result first differs, and what that means.
///
/// The journal keeps only digests of outputs; the outputs themselves are looked up on their topics.
struct DivergenceFinder {
    /// The number of records that are searched for one output.
    private static let searchLimit = 50_000

    let log: any EventLog
    let prefix: String
    let replay: TurnReplay

    func verdict(
        of record: TurnRecord,
        journaled: LogRecord,
        at position: RecordPosition,
        _ result: TurnReplay.Result
    ) async throws -> TurnVerdict {
        var verdict = TurnVerdict(Self.outcome(of: record), of: record, at: position)
        verdict.difference = try await self.difference(of: record, journaled, result)
        verdict.advice =
            result.record.map { $0.eventDigest == record.eventDigest } ?? true
            ? self.advice(record, result) : Self.adviceOnAlteredEvent(record)
        return verdict
    }

    /// What another result means: rules and wording of another behaviour are not those of today.
    static func outcome(of record: TurnRecord) -> TurnVerdict.Outcome {
        record.behaviour == TurnRecord.currentBehaviour ? .diverged : .incomparable
    }

    private func difference(
        of then: TurnRecord,
        _ journaled: LogRecord,
        _ result: TurnReplay.Result
    ) async throws -> Difference? {
        guard let now = result.record else {
            return Difference(path: "outcome", then: .string(then.outcome.rawValue), now: nil)
        }
        if then.eventDigest != now.eventDigest {
            return Difference(path: "event.digest", then: .string(then.eventDigest), now: .string(now.eventDigest))
        }
        var counts: [String: Int] = [:]
        for (index, output) in then.outputs.enumerated() {
            let path = "\(output.target)[\(counts[output.target, default: 0])]"
            counts[output.target, default: 0] += 1
            guard now.outputs.indices.contains(index), now.outputs[index].target == output.target else { break }
            guard now.outputs[index].digest != output.digest else { continue }
            if let name = output.stateName {
                let value = (result.writes[name] ?? nil).flatMap { try? JSONValue(parsing: $0.text) }
                let old = try await self.state(name, then, output.digest, near: journaled)
                guard let old, let value else {
                    return Difference(path: output.target, then: old ?? .string(output.digest), now: value)
                }
                return Difference.first(old, value, path: output.target)
            }
            let outgoing = result.outputs[index]
            guard
                let old = try await self.record(
                    outgoing.topicPartition,
                    near: journaled,
                    { _, digest in
                        digest == output.digest
                    }
                )
            else {
                return Difference(
                    path: path,
                    then: .string("an output with digest \(output.digest) that is no longer on its topic"),
                    now: outgoing.value.flatMap { try? JSONValue(parsing: $0) }
                )
            }
            return Self.first(old, outgoing, path: path)
        }
        return Difference.first(Self.summary(then), Self.summary(now))
            ?? Difference.first(then.event(id: "", source: "").structured, now.event(id: "", source: "").structured)
    }

    /// What the turn decided, without digests; a missing output, or outputs in another order, show in it.
    private static func summary(_ record: TurnRecord) -> JSONValue {
        .members([
            "outcome": .string(record.outcome.rawValue),
            "outputs": .array(record.outputs.map { .string($0.target) }),
            "reads": .array(record.reads.map(\.json)),
        ])
    }

    private static func first(_ old: LogRecord, _ new: OutgoingRecord, path: String) -> Difference? {
        func json(_ value: [UInt8]?) -> JSONValue {
            guard let value else { return .null }
            return (try? JSONValue(parsing: value)) ?? .string("\(value.count) bytes that are not JSON")
        }
        func headers(_ headers: [LogHeader]) -> JSONValue {
            .object(Dictionary(headers.map { ($0.name, .string($0.text ?? "")) }) { $1 })
        }
        return Difference.first(json(old.value), json(new.value), path: path)
            ?? Difference.first(headers(old.headers), headers(new.headers), path: path + ".headers")
            ?? Difference(path: path, then: .string("\(old.value?.count ?? 0) bytes"), now: .string("different bytes"))
    }

    private func state(
        _ name: StateName,
        _ record: TurnRecord,
        _ digest: String,
        near journaled: LogRecord
    ) async throws -> JSONValue? {
        let key = StateKey(stage: record.stage, user: record.userID, name: name).bytes
        let partition = TopicPartition(Topic.state.name(prefix: self.prefix), record.position.partition)
        let found = try await self.record(partition, near: journaled) { candidate, _ in
            candidate.key == key && candidate.value.map(RecordDigest.of) == digest
        }
        return found?.value.flatMap { try? JSONValue(parsing: $0) }
    }

    /// Looks for a record that was written in the transaction of a journal record, or in one shortly before or after.
    private func record(
        _ partition: TopicPartition,
        near journaled: LogRecord,
        _ fits: (LogRecord, _ digest: String) -> Bool
    ) async throws -> LogRecord? {
        let start = try await self.log.offsets([partition], at: .time(journaled.timestamp - 10_000))[partition] ?? 0
        let end = try await self.log.offsets([partition], at: .lastStable)[partition] ?? 0
        let cursor = PartitionCursor(self.log, partition, from: start, to: end)
        var count = 0
        var found: LogRecord?
        while found == nil, count < Self.searchLimit, let records = try await cursor.next() {
            count += records.count
            found = records.first { fits($0, RecordDigest.of($0)) }
        }
        await cursor.close()
        return found
    }

    /// The advice for a turn whose event has changed: no handler and no setting can be the reason.
    private static func adviceOnAlteredEvent(_ record: TurnRecord) -> String {
        "The event was altered: \(record.position) does not have the bytes that the turn processed (or its journal record, "
            + "which holds their digest, was altered). `intentd audit verify` finds all changes; a replay of this turn "
            + "proves nothing."
    }

    private func advice(_ record: TurnRecord, _ result: TurnReplay.Result) -> String {
        guard Self.outcome(of: record) == .diverged else {
            return
                "intentd's own rules have changed since: this turn ran with behaviour \(record.behaviour), this version has "
                + "behaviour \(TurnRecord.currentBehaviour). Replay it with the version that ran it."
        }
        var advice = ""
        if !result.unrecordedReads.isEmpty {
            advice =
                "It now asks for \(result.unrecordedReads.joined(separator: ", ")), which it did not ask for then. "
        }
        guard let handler = record.handlerName else {
            return advice
                + "No handler ran in this turn: intentd's version or its settings differ from those that ran it."
        }
        let version = record.handlerVersion ?? ""
        guard let today = self.replay.handler(of: record) else {
            return advice + "\(record.intentName ?? "The intent") is not supported here: run the replay with the "
                + "handlers and definitions that ran then (\(handler), version \(version))."
        }
        guard today.name == handler, today.version == version else {
            return advice
                + "The handler's version differs: \(handler) \(version) then, \(today.name) \(today.version) now. "
                + "Replay with the version that ran to prove what happened; `replay --shadow` shows the effect of the change."
        }
        return advice
            + "The handler's version is the same (\(handler) \(version)): it depends on something that the journal does "
            + "not hold. Look for a clock, a random number, an id, the order of a dictionary or a set, or a service that "
            + "it uses outside its context, and use context.now, context.randomNumbers, context.makeIdentifier(), a "
            + "sorted list or context.run instead. Or the handler or the settings were changed without a new version."
    }
}
