import IntentRuntime
import ServiceLifecycle

/// A stage's worker as a service: it leaves cleanly when the group shuts down.
struct StageService: Service {
    /// The worker.
    let worker: StageWorker

    func run() async throws {
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await self.worker.run()
        } onCancelOrGracefulShutdown: {
            self.worker.stop()
        }
    }
}
