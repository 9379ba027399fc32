internal import IntentAudit
internal import IntentOperations
internal import Synchronization

/// The audits that were requested: one runs at a time, and the last few are kept.
final class AuditJobs: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        /// Compares all records with each other.
        case verify
        /// Runs each recorded turn again.
        case replay
        /// Plays interactions with today's handlers.
        case shadow
    }

    enum Outcome: Sendable {
        case running
        case verified(AuditReport)
        case replayed(ReplayReport)
        case shadowed(ShadowReport)
        case failed(String)
    }

    struct Job: Sendable {
        /// Its number, from 1.
        var number: Int
        var kind: Kind
        /// The amount of work that is done.
        var done: Int64 = 0
        /// The total amount of work; 0 before it is known.
        var total: Int64 = 0
        var outcome = Outcome.running

        var isRunning: Bool { if case .running = self.outcome { true } else { false } }
    }

    private struct State {
        var jobs: [Job] = []
        var next = 1
        var task: Task<Void, Never>?
    }

    private static let kept = 8
    private let state = Mutex(State())

    /// All audits that are kept, the newest first.
    var all: [Job] { self.state.withLock { $0.jobs.reversed() } }

    /// One of the audits; nil when it is no longer kept.
    func job(_ number: Int) -> Job? { self.state.withLock { state in state.jobs.first { $0.number == number } } }

    /// Begins an audit, unless one is running already.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - body: Runs it.
    /// - Returns: The number of the audit that is running.
    func begin(
        _ kind: Kind,
        _ body: @escaping @Sendable (_ progress: @escaping Operations.Progress) async throws -> Outcome
    ) -> Int {
        self.state.withLock { state in
            if let running = state.jobs.last, running.isRunning { return running.number }
            let number = state.next
            state.next += 1
            state.jobs.append(Job(number: number, kind: kind))
            if state.jobs.count > Self.kept { state.jobs.removeFirst() }
            state.task = Task {
                do {
                    let outcome = try await body { done, total in
                        self.update(number) { ($0.done, $0.total) = (done, total) }
                    }
                    self.update(number) { $0.outcome = outcome }
                } catch {
                    self.update(number) { $0.outcome = .failed("\(error)") }
                }
            }
            return number
        }
    }

    func cancel() { self.state.withLock { $0.task?.cancel() } }

    private func update(_ number: Int, _ change: (inout Job) -> Void) {
        self.state.withLock { state in
            guard let index = state.jobs.firstIndex(where: { $0.number == number }) else { return }
            change(&state.jobs[index])
        }
    }
}
