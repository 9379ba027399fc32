import IntentLab
import Logging
import ServiceLifecycle
import Testing

@testable import IntentOperations

@Suite("Services that stop at the same time")
struct ConcurrentServicesTests {
    /// A service that ends only when the other one has been asked to stop, too.
    private struct Partner: Service {
        let asked: AsyncStream<Never>.Continuation
        let other: AsyncStream<Never>

        func run() async throws {
            try await gracefulShutdown()
            self.asked.finish()
            // Ends as well when this task is cancelled, because the shutdown took too long.
            for await _ in self.other {}
            try Task.checkCancellation()
        }
    }

    /// A service that fails at once.
    private struct Failing: Service {
        struct Failure: Error {}

        func run() async throws { throw Failure() }
    }

    private static func run(_ services: [any Service]) -> ServiceRun {
        let logger = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }
        return ServiceRun(services: [ConcurrentServices(services, logger: logger)], logger: logger)
    }

    @Test("All are asked to stop before any of them has ended")
    func stopsAllAtOnce() async throws {
        let (first, firstAsked) = AsyncStream<Never>.makeStream()
        let (second, secondAsked) = AsyncStream<Never>.makeStream()
        let partners = [Partner(asked: firstAsked, other: second), Partner(asked: secondAsked, other: first)]
        try await Self.run(partners).during {}
    }

    @Test("When one fails, the others stop, and its error is thrown")
    func stopsTheOthersAfterAFailure() async throws {
        let (asked, continuation) = AsyncStream<Never>.makeStream()
        let other = Partner(asked: continuation, other: asked)
        await #expect(throws: Failing.Failure.self) {
            try await Self.run([other, Failing()]).during { try await hangUntilCancelled() }
        }
        // It was asked to stop, or this would not end.
        for await _ in asked {}
    }
}
