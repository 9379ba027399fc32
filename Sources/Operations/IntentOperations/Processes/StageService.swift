internal import IntentRuntime
internal import ServiceLifecycle

/// A stage's worker as a service: it leaves cleanly when the group shuts down.
struct StageService: Service {
    let worker: StageWorker
    let departure: Departure

    func run() async throws {
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await self.worker.run()
        } onCancelOrGracefulShutdown: {
            self.worker.stop(self.departure.kind)
        }
    }
}
