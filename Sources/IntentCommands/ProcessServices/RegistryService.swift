import IntentRuntime
import ServiceLifecycle

/// Compares a worker's registry with those of the others of its stage, for as long as the worker works (R15).
struct RegistryService: Service {
    /// Who compares what.
    let watch: RegistryWatch

    func run() async throws {
        await cancelWhenGracefulShutdown { await self.watch.run() }
    }
}
