internal import ServiceLifecycle
internal import UnixSignals

/// Ends when SIGUSR1 comes, by which the workers of this process are told to leave for good.
struct LeaveSignalService: Service {
    let departure: Departure

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sigusr1).cancelOnGracefulShutdown() {
            self.departure.noteForGood()
            return
        }
    }
}
