internal import ServiceLifecycle
internal import UnixSignals

/// Ends on SIGUSR1, which makes the workers of this process leave their groups for good.
struct LeaveSignalService: Service {
    let departure: Departure

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sigusr1).cancelOnGracefulShutdown() {
            self.departure.recordLeave()
            return
        }
    }
}
