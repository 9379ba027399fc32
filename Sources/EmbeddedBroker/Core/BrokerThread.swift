import Foundation
import Logging
import NIOCore

/// The one thread that owns the core and the store.
///
/// SQLite blocks, and so it runs neither on the event loops nor on Swift's cooperative pool. Everything here is local
/// to `run`, which makes the core's lack of locks safe by construction.
struct BrokerThread: Sendable {
    let configuration: EmbeddedBroker.Configuration
    let address: BrokerCore.Address
    let jobs: JobQueue
    let logger: Logger

    /// Starts the thread; the first promise says whether the file could be opened, the second that it is closed again.
    func start(started: EventLoopPromise<Void>, finished: EventLoopPromise<Void>) {
        let thread = Thread {
            do {
                try self.run { started.succeed() }
                finished.succeed()
            } catch {
                let isKnown = error is BrokerError
                let message = "cannot use \(self.configuration.path): \(error)"
                self.logger.critical("Embedded broker ended", metadata: ["error.message": "\(error)"])
                // In this order: who hears that the start has failed shuts the event loop down, and a promise that is
                // to be kept after that never is.
                finished.succeed()
                started.fail(isKnown ? error : BrokerError(code: .storage, message: message))
            }
        }
        thread.name = "embedded-broker"
        thread.stackSize = 2 << 20
        thread.start()
    }

    private func run(started: () -> Void) throws {
        let lock = try StoreLock(path: self.configuration.path + ".lock")
        try LogStore.open(path: self.configuration.path, synchronous: self.configuration.synchronous) { store in
            var core = try self.recover(store)
            started()
            var targets: [ReplyToken: ReplyTarget] = [:]
            while true {
                let wait = core.deadlines.next.map { $0 - Self.now().monotonic }
                let jobs = self.jobs.takeAll(waiting: wait)
                do {
                    let isStopping = try self.round(jobs, &core, &targets)
                    try core.finishRound()
                    try store.commit()
                    self.send(&core, &targets)
                    if isStopping { return }
                } catch {
                    // Memory is ahead of the file now: begin again from the file, and let the clients ask again.
                    self.logger.error("Embedded broker starts over", metadata: ["error.message": "\(error)"])
                    store.rollback()
                    for target in targets.values { target.channel.close(promise: nil) }
                    targets = [:]
                    guard let recovered = self.recoverEventually(store) else { return }
                    core = recovered
                }
            }
        }
        _ = consume lock
    }

    private func recover(_ store: LogStore) throws -> BrokerCore {
        try BrokerCore(store: store, configuration: self.configuration, address: self.address, at: Self.now())
    }

    /// Tries every second until the file can be used again, say because the disk has room; nil when it is time to end.
    private func recoverEventually(_ store: LogStore) -> BrokerCore? {
        while true {
            do {
                return try self.recover(store)
            } catch {
                store.rollback()
                let path = self.configuration.path
                self.logger.critical(
                    "Embedded broker cannot use its file",
                    metadata: ["broker.path": "\(path)", "error.message": "\(error)"]
                )
            }
            for job in self.jobs.takeAll(waiting: 1_000) {
                switch job {
                case .request(_, _, let target): target.channel.close(promise: nil)
                case .closed: break
                case .stop: return nil
                }
            }
        }
    }

    /// Handles what has gathered; true when the thread is to end.
    private func round(
        _ jobs: [JobQueue.Job],
        _ core: inout BrokerCore,
        _ targets: inout [ReplyToken: ReplyTarget]
    ) throws -> Bool {
        var isStopping = false
        let now = Self.now()
        for job in jobs {
            switch job {
            case .request(let request, let context, let target):
                targets[context.token] = target
                try core.handle(request, context, at: now)
            case .closed(let connection):
                core.close(connection: connection)
                targets = targets.filter { $0.key.connection != connection }
            case .stop:
                isStopping = true
            }
        }
        try core.tick(at: now)
        return isStopping
    }

    private func send(_ core: inout BrokerCore, _ targets: inout [ReplyToken: ReplyTarget]) {
        for (token, response) in core.outbox {
            guard let target = targets.removeValue(forKey: token) else { continue }
            let envelope = response.map { body in
                ResponseEnvelope(
                    api: target.header.api,
                    version: target.header.version,
                    correlationID: target.header.correlationID,
                    body: body
                )
            }
            target.channel.writeAndFlush(Reply(sequence: token.sequence, response: envelope), promise: nil)
        }
        core.outbox.removeAll(keepingCapacity: true)
    }

    /// The two clocks of the machine.
    static func now() -> BrokerTime {
        BrokerTime(
            monotonic: Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000),
            wall: Int64(Date().timeIntervalSince1970 * 1_000)
        )
    }
}
