internal import IntentRuntime
internal import ServiceLifecycle

/// Compares a worker's registry with those of the other workers of its stage, as long as the worker runs (R15).
struct RegistryService: Service {
    let watch: RegistryWatch

    func run() async throws {
        await cancelWhenGracefulShutdown { await self.watch.run() }
    }
}
