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
    let connections: ConnectionRegistry
    /// The one event loop that all connections are on.
    let eventLoop: any EventLoop
    let responses: ResponseBudget
    let logger: Logger

    /// Bytes of answers after which a round ends, although more requests wait: answers stay in memory up to its end.
    private static let maxRoundBytes = 64 << 20

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
            var waiting = CircularBuffer<JobQueue.Job>()
            while true {
                let wait = core.deadlines.next.map { $0 - Self.now().monotonic }
                waiting.append(contentsOf: self.jobs.takeAll(waiting: waiting.isEmpty ? wait : 0))
                do {
                    let isStopping = try self.round(&waiting, &core, &targets)
                    try core.finishRound()
                    try store.commit()
                    self.send(&core, &targets)
                    self.tell(&core)
                    if isStopping { return }
                    try store.relieve()
                } catch {
                    // Memory is ahead of the file now: begin again from the file, and let the clients ask again.
                    self.logger.error("Embedded broker starts over", metadata: ["error.message": "\(error)"])
                    store.rollback()
                    for target in targets.values { target.channel.close(promise: nil) }
                    targets = [:]
                    if self.drop(&waiting) { return }
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
            var waiting = CircularBuffer(self.jobs.takeAll(waiting: 1_000))
            if self.drop(&waiting) { return nil }
        }
    }

    /// Closes the connections of requests that nobody will answer; true when the thread is to end.
    private func drop(_ waiting: inout CircularBuffer<JobQueue.Job>) -> Bool {
        defer { waiting.removeAll() }
        var isStopping = false
        for job in waiting {
            switch job {
            case .request(_, _, _, let target): target.channel.close(promise: nil)
            case .closed: break
            case .stop: isStopping = true
            }
        }
        return isStopping
    }

    /// Handles what has gathered, up to a bound; true when the thread is to end.
    private func round(
        _ waiting: inout CircularBuffer<JobQueue.Job>,
        _ core: inout BrokerCore,
        _ targets: inout [ReplyToken: ReplyTarget]
    ) throws -> Bool {
        var isStopping = false
        let now = Self.now()
        core.fetchAllowance = self.responses.free
        while core.outboxBytes < Self.maxRoundBytes, let job = waiting.popFirst() {
            switch job {
            case .request(var reader, let lease, let context, let target):
                let request: Request
                do {
                    request = try Request(target.header.api, from: &reader, version: target.header.version)
                } catch {
                    target.channel.pipeline.fireErrorCaught(error)
                    continue
                }
                targets[context.token] = target
                core.outboxBytes += target.answerBytes
                try core.handle(request, context, at: now)
                withExtendedLifetime(lease) {}
            case .closed(let connection):
                core.close(connection: connection)
                targets = targets.filter { $0.key.connection != connection }
            case .stop:
                isStopping = true
            }
        }
        try core.tick(at: now) { Int64(DispatchTime.now().uptimeNanoseconds / 1_000) }
        return isStopping
    }

    private func send(_ core: inout BrokerCore, _ targets: inout [ReplyToken: ReplyTarget]) {
        guard !core.outbox.isEmpty else { return }
        var replies: [UInt64: Replies] = [:]
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
            let lease = response.map { body in
                self.responses.lease(
                    body.weight + target.answerBytes,
                    for: token.connection
                )
            }
            let reply = Reply(sequence: token.sequence, response: envelope, lease: lease)
            replies[token.connection, default: Replies(channel: target.channel)].replies.append(reply)
        }
        // One task for all: each by itself would wake the event loop, and each answer be a system call.
        self.eventLoop.execute { [replies] in
            for answered in replies.values { answered.channel.writeAndFlush(answered.replies, promise: nil) }
        }
        core.outbox.removeAll(keepingCapacity: core.outbox.count < 1_000)
        core.outboxBytes = 0
        if let heaviest = self.responses.heaviestOfTooMuch, let channel = self.connections.channel(heaviest) {
            channel.pipeline.fireErrorCaught(WireError.slowReader)
        }
    }

    /// What one connection gets of a round.
    private struct Replies: Sendable {
        var channel: any Channel
        var replies: [Reply] = []
    }

    /// Logs what the core wants an operator to know.
    private func tell(_ core: inout BrokerCore) {
        for notice in core.notices { notice.log(self.logger) }
        core.notices = []
    }

    /// The two clocks of the machine.
    static func now() -> BrokerTime {
        BrokerTime(
            monotonic: Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000),
            wall: max(0, Int64(Date().timeIntervalSince1970 * 1_000))
        )
    }
}
