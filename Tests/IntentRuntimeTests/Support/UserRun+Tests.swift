import IntentEvents
import IntentKit
import Testing

@testable import IntentRuntime

extension UserRun {
    /// Runs a user's items to their end, without a batch's time limit.
    ///
    /// - Parameters:
    ///   - items: The items, none of which is parked by its batch.
    ///   - user: The user.
    ///   - table: The state.
    ///   - batch: The batch; nil for one of partition 0 that nobody reads.
    ///   - environment: The stage.
    /// - Returns: What the turns wrote.
    static func outcome(
        of items: [Item],
        user: UserID = "u1",
        _ table: StateTable,
        batch: PartitionBatch? = nil,
        in environment: StageEnvironment
    ) async -> Outcome {
        let run = UserRun(
            user: user,
            items: ShortList(items),
            environment: environment,
            table: table,
            looksInQueue: false,
            batch: batch ?? PartitionBatch(environment: environment, partition: 0, chain: "")
        )
        #expect(await run.execute(on: BatchExecution.WorkerTask()))
        return run.close()
    }
}
