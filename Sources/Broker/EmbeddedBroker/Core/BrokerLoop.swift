import Connections
import Dispatch
import Logging
import NIOCore
import NIOPosix
import Telemetry

/// The rounds of a broker, on its event loop.
///
/// A round handles all requests that have arrived on all connections since the last one. Everything here runs on the
/// loop, which makes the core's lack of locks safe by construction.
final class BrokerLoop {
    private let configuration: EmbeddedBroker.Configuration
    private let store: LogStore
    private let eventLoop: any EventLoop
    private let jobs: JobQueue
    private let connections: OpenConnections
    private let activity: BrokerActivity
    private let responses: ResponseBudget
    private let logger: Logger
    private var address: BrokerCore.Address
    /// Nil before the start, and while the file cannot be used.
    private var core: BrokerCore?
    private var targets: [ReplyToken: ReplyTarget] = [:]
    private var waiting = CircularBuffer<JobQueue.Job>()
    private var hasEnded = false
    /// Refers to this object for the job queue, until the end.
    private var here: NIOLoopBoundBox<BrokerLoop?>?
    private var timer: (time: Int64, scheduled: Scheduled<Void>)?

    /// The number of bytes of answers after which a round ends although more requests wait, since answers stay in
    /// memory until the end of the round.
    private static let maxRoundBytes = 64 << 20

    /// Creates a loop that has not started.
    init(_ thread: BrokerThread, store: LogStore, eventLoop: any EventLoop) {
        self.configuration = thread.configuration
        self.store = store
        self.eventLoop = eventLoop
        self.jobs = thread.jobs
        self.connections = thread.connections
        self.activity = thread.activity
        self.responses = ResponseBudget(limit: thread.configuration.maxResponseBytes)
        self.logger = thread.logger
        let host = thread.configuration.advertisedHost ?? thread.configuration.host
        self.address = BrokerCore.Address(host: host, port: Int32(clamping: thread.configuration.port))
    }

    /// Listens and recovers the file's content, then calls the closure.
    func bind(_ done: @escaping (Result<BrokerThread.Started, any Error>) -> Void) {
        let bound = ServerBootstrap.broker(
            self.configuration,
            on: self.eventLoop,
            jobs: self.jobs,
            connections: self.connections,
            activity: self.activity,
            logger: self.logger
        )
        bound.assumeIsolated()
            .whenComplete { result in
                done(
                    Result {
                        let listener: any Channel
                        switch result {
                        case .success(let channel): listener = channel
                        case .failure(let error):
                            let (host, port) = (self.configuration.host, self.configuration.port)
                            throw BrokerError(code: .bind, message: "cannot listen on \(host):\(port): \(error)")
                        }
                        let port = listener.localAddress?.port ?? self.configuration.port
                        self.address.port = Int32(port)
                        self.core = try self.recover()
                        let here = NIOLoopBoundBox<BrokerLoop?>(self, eventLoop: self.eventLoop)
                        self.here = here
                        // Requests that arrive on other connections in the same iteration of the loop share the round.
                        self.jobs.onArrival { [eventLoop = self.eventLoop] in
                            eventLoop.execute { here.value?.turn() }
                        }
                        self.turn()
                        return BrokerThread.Started(listener: listener, port: port)
                    }
                )
            }
    }

    /// Ends the loop and closes all connections.
    ///
    /// Afterwards neither the job queue nor the timer refers to this object, and neither does a thread that is just
    /// adding a job: it has the queue's closure, and thus the box, a moment longer. Otherwise they would keep the store's
    /// statements, and SQLite does not close a file while there are any.
    func end() {
        self.hasEnded = true
        self.jobs.onArrival(nil)
        self.here?.value = nil
        self.here = nil
        self.timer?.scheduled.cancel()
        self.timer = nil
        self.eventLoop.shutdownGracefully(queue: .global()) { _ in }
    }

    /// Runs one round, or several where one would hold too much.
    private func turn() {
        guard !self.hasEnded else { return }
        self.waiting.append(contentsOf: self.jobs.drain())
        guard var core = self.core.take() else { return self.waitForFile() }
        do {
            let isStopping = try self.round(&core)
            try core.finishRound()
            try self.store.commit()
            if let ended = core.transactions.drainEnded() { self.activity.ended(ended) }
            self.send(&core)
            for notice in core.notices.drain() { notice.log(self.logger) }
            if isStopping { return self.end() }
            try self.store.relieve()
            let next = core.deadlines.next
            self.core = core
            self.setTimer(at: self.waiting.isEmpty ? next : 0)
        } catch {
            // Memory is now ahead of the file: start again from the file, and let the clients retry.
            self.logger.error("Embedded broker is restarting", metadata: [TelemetryKey.errorMessage: "\(error)"])
            self.store.rollback()
            for target in self.targets.values { target.channel.close(promise: nil) }
            self.targets = [:]
            self.waitForFile()
        }
    }

    private func recover() throws -> BrokerCore {
        try BrokerCore(
            store: self.store,
            configuration: self.configuration,
            address: self.address,
            at: BrokerThread.now()
        )
    }

    /// Tries every second until the file can be used again, for example because the disk has space; no request is
    /// answered meanwhile.
    private func waitForFile() {
        if self.dropJobs() { return self.end() }
        do {
            self.core = try self.recover()
            self.setTimer(at: 0)
        } catch {
            self.store.rollback()
            self.logger.critical(
                "Embedded broker cannot use its database file",
                metadata: [TelemetryKey.path: "\(self.configuration.path)", TelemetryKey.errorMessage: "\(error)"]
            )
            self.setTimer(at: BrokerThread.now().monotonic + 1_000)
        }
    }

    /// Closes the connections of requests that will not be answered; true when the broker is to end.
    private func dropJobs() -> Bool {
        defer { self.waiting.removeAll() }
        var isStopping = false
        for job in self.waiting {
            switch job {
            case .request(_, _, _, let target): target.channel.close(promise: nil)
            case .closed: break
            case .stop: isStopping = true
            }
        }
        return isStopping
    }

    /// Schedules a call of `turn` at a time, unless one is scheduled earlier.
    private func setTimer(at time: Int64?) {
        if let timer = self.timer {
            if let time, timer.time <= time { return }
            timer.scheduled.cancel()
            self.timer = nil
        }
        guard let time else { return }
        let wait = TimeAmount.milliseconds(max(0, time - BrokerThread.now().monotonic))
        let scheduled = self.eventLoop.assumeIsolated()
            .scheduleTask(in: wait) {
                self.timer = nil
                self.turn()
            }
        self.timer = (time, scheduled)
    }

    /// Handles the requests that have arrived, up to a bound; true when the broker is to end.
    private func round(_ core: inout BrokerCore) throws -> Bool {
        var isStopping = false
        let now = BrokerThread.now()
        core.outbox.fetchAllowance = self.responses.free
        while core.outbox.bytes < Self.maxRoundBytes, let job = self.waiting.popFirst() {
            switch job {
            case .request(var reader, let lease, let context, let target):
                let request: Request
                do {
                    request = try Request(target.header.api, from: &reader, version: target.header.version)
                } catch {
                    target.channel.pipeline.fireErrorCaught(error)
                    continue
                }
                self.targets[context.token] = target
                core.outbox.bytes += target.answerBytes
                try core.handle(request, context, at: now)
                withExtendedLifetime(lease) {}
            case .closed(let connection):
                core.close(connection: connection)
                self.targets = self.targets.filter { $0.key.connection != connection }
            case .stop:
                isStopping = true
            }
        }
        try core.tick(at: now) { Int64(DispatchTime.now().uptimeNanoseconds / 1_000) }
        return isStopping
    }

    private func send(_ core: inout BrokerCore) {
        guard !core.outbox.answers.isEmpty else { return }
        // The answers of a connection are written in one system call.
        var replies: [UInt64: (channel: any Channel, replies: [Reply])] = [:]
        for (token, response) in core.outbox.answers {
            guard let target = self.targets.removeValue(forKey: token) else { continue }
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
            replies[token.connection, default: (target.channel, [])].replies.append(reply)
        }
        core.outbox.clear()
        for answered in replies.values {
            answered.channel.writeAndFlush(answered.replies, promise: nil)
        }
        if let heaviest = self.responses.heaviestOfTooMuch,
            let channel = self.connections.channel(heaviest)
        {
            channel.pipeline.fireErrorCaught(WireError.slowReader)
        }
    }
}
