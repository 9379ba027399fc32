internal import IntentRuntime
internal import ServiceLifecycle

/// Watches the deployment's topics as long as the process works on them; it fails when they have changed (R6).
struct TopicService: Service {
    let watch: TopicWatch

    func run() async throws {
        let watch = self.watch
        try await cancelWhenGracefulShutdown { try await watch.run() }
    }
}
