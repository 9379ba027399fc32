internal import IntentEvents
internal import IntentKit
internal import IntentLedger
internal import IntentRuntime
internal import Synchronization

/// Checks whether a deployment's broker answers, and its store takes writes.
final class Probe: Sendable {
    /// The time of an answer, or the reason why there was none.
    typealias Answer = Result<ContinuousClock.Instant, Failure>

    /// The reason why there was no answer.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private let log: any EventLog
    private let isOwn: Bool
    private let deployment: Deployment
    private let ledger: (any LedgerStore)?
    private let writeTimeout: Duration
    /// The write that is being tried.
    private let trial = Mutex<Task<Answer, Never>?>(nil)

    /// Prepares to check.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - isOwn: Whether only the probe uses the log, so that it is closed with it.
    ///   - deployment: The topics.
    ///   - ledger: The store; nil where none is used.
    ///   - writeTimeout: How long a write may take: longer than the store itself waits for a lock.
    init(
        log: any EventLog,
        isOwn: Bool = false,
        deployment: Deployment,
        ledger: (any LedgerStore)?,
        writeTimeout: Duration = .seconds(8)
    ) {
        self.log = log
        self.isOwn = isOwn
        self.deployment = deployment
        self.ledger = ledger
        self.writeTimeout = writeTimeout
    }

    var hasStore: Bool { self.ledger != nil }

    /// Asks the broker for the ends of a topic.
    ///
    /// - Returns: The time of its answer, or the reason why there was none.
    func askBroker() async -> Answer {
        do throws(LogError) {
            _ = try await self.log.offsets(self.deployment.topicPartitions(of: .requests), at: .end)
            return .success(.now)
        } catch {
            return .failure(Failure(description: "\(error)"))
        }
    }

    /// Measures the groups of these roles; nil when the broker does not say.
    func askGroups(_ roles: Set<WorkerRole>) async -> [GroupCondition]? {
        guard !roles.isEmpty else { return [] }
        return try? await GroupCondition.measure(roles, of: self.deployment, on: self.log)
    }

    /// Tries to write to the store; nil where there is no store.
    ///
    /// A write that takes too long continues: the next query waits for it too, and starts no other.
    func askStore() async -> Answer? {
        guard let ledger = self.ledger else { return nil }
        let trial = self.trial.withLock { trial in
            if let trial { return trial }
            let started = Task { await self.tryWriting(to: ledger) }
            trial = started
            return started
        }
        let (answers, answered) = AsyncStream.makeStream(of: Answer.self)
        let waiting = Task { answered.yield(await trial.value) }
        let reminder = Task { [writeTimeout = self.writeTimeout] in
            guard (try? await Task.sleep(for: writeTimeout)) != nil else { return }
            let words = "has not completed a write in \(writeTimeout)"
            answered.yield(.failure(Failure(description: words)))
        }
        defer {
            waiting.cancel()
            reminder.cancel()
        }
        for await answer in answers { return answer }
        return nil
    }

    private func tryWriting(to ledger: any LedgerStore) async -> Answer {
        defer { self.trial.withLock { $0 = nil } }
        do {
            try await ledger.tryWriting()
            return .success(.now)
        } catch {
            return .failure(Failure(description: "cannot write: \(error)"))
        }
    }

    /// Closes the log, if it is its own.
    func close() async { if self.isOwn { await self.log.close() } }
}
