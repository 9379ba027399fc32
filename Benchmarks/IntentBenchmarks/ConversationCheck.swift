import IntentLab

/// The cost of conversations on a broker: a list to resolve, two prompts, a confirmation, an effect in the ledger.
///
/// There are three stages without a recorder; the client's work between the steps is not measured.
struct ConversationCheck {
    private let bench: MeasuredLog
    private let conversations: Int
    private let rounds: Int

    /// Prepares this many rounds of this many conversations.
    init(bench: MeasuredLog, conversations: Int, rounds: Int) {
        self.bench = bench
        self.conversations = conversations
        self.rounds = rounds
    }

    /// Runs them.
    func run(into report: inout Report) async throws {
        var figures: [ConversationWorkload.Figures] = []
        for _ in 0..<self.rounds {
            let pipeline = try await Pipeline.make(
                self.bench,
                registry: try GroceryOrder.registry(),
                migrations: [GroceryOrder.migration],
                hasLedger: true
            )
            self.bench.announce("conversations")
            let workload = ConversationWorkload(on: self.bench.log, pipeline.deployment, users: self.bench.shape.users)
            // Before anything counts, the stages join their groups and all connections are established.
            let (warmUp, count) = (max(1, self.conversations / 10), self.conversations)
            figures.append(
                try await pipeline.run(isRecorded: false) {
                    _ = try await workload.run(warmUp)
                    return try await workload.run(count, from: warmUp)
                }
            )
        }
        report.columns = ("pipeline", "")
        let count = Double(self.conversations)
        report.add(
            "processor time, median",
            "µs/conversation",
            floor: Report.median(figures.map(\.used)) / count * 1e6
        )
        report.add(
            "processor time, least",
            "µs/conversation",
            floor: (figures.map(\.used).min() ?? .nan) / count * 1e6
        )
        report.add("conversations, all at once", "1/s", floor: count / Report.median(figures.map(\.seconds)))
    }
}
