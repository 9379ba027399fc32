import Connections
import Foundation
import Logging
import NIOCore
import NIOPosix
import Synchronization
import Telemetry

/// The one thread of a broker: an event loop with all its connections, its core and its store.
///
/// SQLite blocks. The thread is therefore neither a loop that others share nor one of Swift's cooperative pool. Having
/// connections and store on one thread saves two wake-ups in each round, which cost as much as a small round itself.
/// While SQLite writes, the operating system continues to receive.
struct BrokerThread: Sendable {
    let configuration: EmbeddedBroker.Configuration
    let jobs: JobQueue
    let connections: OpenConnections
    let activity: BrokerActivity
    let logger: Logger

    /// What identifies a broker that has started.
    struct Started: Sendable {
        /// The socket that accepts connections.
        var listener: any Channel
        /// The port that it is bound to.
        var port: Int
    }

    /// Starts the thread and waits until the broker listens; `ending` ends when the file is closed again.
    func start(ending: Ending) async throws -> Started {
        try await withCheckedThrowingContinuation { continuation in
            // Resumed by whichever happens first: listening or failing.
            let started = Mutex<CheckedContinuation<Started, any Error>?>(continuation)
            let thread = Thread {
                do {
                    try self.run { result in started.withLock { $0.take() }?.resume(returning: result) }
                    ending.end()
                } catch {
                    let isKnown = error is BrokerError
                    let message = "cannot use \(self.configuration.path): \(error)"
                    self.logger.critical("Embedded broker stopped", metadata: [TelemetryKey.errorMessage: "\(error)"])
                    ending.end()
                    started.withLock { $0.take() }?
                        .resume(throwing: isKnown ? error : BrokerError(code: .storage, message: message))
                }
            }
            thread.name = "embedded-broker"
            thread.stackSize = 2 << 20
            thread.start()
        }
    }

    private func run(started: @escaping @Sendable (Started) -> Void) throws {
        let lock = try StoreLock(path: self.configuration.path + ".lock")
        try LogStore.open(
            path: self.configuration.path,
            synchronous: self.configuration.synchronous,
            logger: self.logger
        ) { store in
            var failure: (any Error)?
            MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { eventLoop in
                let loop = BrokerLoop(self, store: store, eventLoop: eventLoop)
                loop.bind { result in
                    switch result {
                    case .success(let listening): started(listening)
                    case .failure(let error):
                        failure = error
                        loop.end()
                    }
                }
            }
            if let failure { throw failure }
        }
        _ = consume lock
    }

    /// The two clocks of the machine.
    static func now() -> BrokerTime {
        BrokerTime(
            monotonic: Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000),
            wall: max(0, Int64(Date().timeIntervalSince1970 * 1_000))
        )
    }
}
