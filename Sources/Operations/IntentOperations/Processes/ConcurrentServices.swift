internal import Logging
internal import ServiceLifecycle

/// Services that do not depend on each other, and therefore all stop at the same time.
///
/// A service group stops its services one after the other and waits for each. Without a broker, every stage of a worker
/// waits for its last commit: one after the other, they would not leave in the time that R67a gives them.
struct ConcurrentServices: Service {
    /// One group for each service: only a group can stop a service whose task still runs.
    private let groups: [ServiceGroup]

    /// Makes the service; the logger is that of the groups.
    init(_ services: [any Service], logger: Logger) {
        self.groups = services.map { ServiceGroup(configuration: .finishing([$0], logger: logger)) }
    }

    /// Runs until all services have ended; when one fails, the others stop.
    /// - Throws: The error of the first service that fails.
    func run() async throws {
        let failure = await withTaskGroup(of: (any Error)?.self) { tasks in
            for group in self.groups {
                tasks.addTask {
                    do {
                        try await group.run()
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            var first: (any Error)?
            for await case let failure? in tasks where first == nil {
                first = failure
                for group in self.groups { await group.triggerGracefulShutdown() }
            }
            return first
        }
        if let failure { throw failure }
    }
}
