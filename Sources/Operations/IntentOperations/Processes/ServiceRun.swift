package import Logging
package import ServiceLifecycle
internal import UnixSignals

/// Runs services of this process, and lets them finish at shutdown.
package struct ServiceRun: Sendable {
    /// The longest that services may take to finish and leave.
    static let shutdownLimit = Duration.seconds(15)

    private let services: [any Service]
    private let logger: Logger

    package init(services: [any Service], logger: Logger) {
        self.services = services
        self.logger = logger
    }

    /// Runs until SIGINT or SIGTERM, or until SIGUSR1 where the workers' departure is given.
    /// - Throws: What a service throws; the others finish first.
    package func untilSignalled(_ departure: Departure? = nil) async throws {
        let signals = departure.map { [LeaveSignalService(departure: $0)] } ?? []
        try await self.group(signals: [.sigint, .sigterm], endingWith: signals).run()
    }

    /// Runs while the body runs; a service that fails cancels the body.
    /// - Throws: What the body or a service throws.
    package func during<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let group = self.group(signals: [])
        return try await withThrowingTaskGroup(of: Value?.self) { tasks in
            tasks.addTask {
                try await group.run()
                return nil
            }
            tasks.addTask {
                do {
                    let value = try await body()
                    await group.triggerGracefulShutdown()
                    return value
                } catch {
                    await group.triggerGracefulShutdown()
                    throw error
                }
            }
            var value: Value?
            while let result = try await tasks.next() { value = result ?? value }
            guard let value else { throw CancellationError() }
            return value
        }
    }

    /// The services as a group.
    ///
    /// - Parameters:
    ///   - signals: The signals that shut it down.
    ///   - ending: Further services, which shut it down when they end.
    /// - Returns: The group, which does not run yet.
    private func group(signals: [UnixSignal], endingWith ending: [any Service] = []) -> ServiceGroup {
        var configuration = ServiceGroupConfiguration.finishing(self.services, logger: self.logger)
        configuration.services += ending.map {
            ServiceGroupConfiguration.ServiceConfiguration(
                service: $0,
                successTerminationBehavior: .gracefullyShutdownGroup
            )
        }
        configuration.gracefulShutdownSignals = signals
        configuration.maximumGracefulShutdownDuration = Self.shutdownLimit
        return ServiceGroup(configuration: configuration)
    }
}

extension ServiceGroupConfiguration {
    /// A group whose services may end by themselves; when one fails, the others finish first.
    static func finishing(_ services: [any Service], logger: Logger) -> Self {
        var logger = logger
        // Its own messages are about tasks and groups, which do not interest the user.
        logger.logLevel = max(logger.logLevel, .error)
        return Self(
            services: services.map {
                ServiceConfiguration(
                    service: $0,
                    successTerminationBehavior: .ignore,
                    failureTerminationBehavior: .gracefullyShutdownGroup
                )
            },
            logger: logger
        )
    }
}

/// Announces that the group runs, and waits until it shuts down: for commands whose work is done elsewhere.
package struct WaitingService: Service {
    /// Makes the announcement; from then on, signals shut the group down.
    private let announce: @Sendable () -> Void

    package init(_ announce: @escaping @Sendable () -> Void) { self.announce = announce }

    package func run() async throws {
        self.announce()
        try? await gracefulShutdown()
    }
}
