import Dispatch
import Logging
import NIOCore
import NIOPosix
import Telemetry

/// The rounds of a broker, on its event loop.
///
/// A round is what has come on all connections since the last one. Everything here is on the loop, which makes the core's
/// lack of locks safe by construction.
final class BrokerLoop {
    private let configuration: EmbeddedBroker.Configuration
    private let store: LogStore
    private let eventLoop: any EventLoop
    private let jobs: JobQueue
    private let connections: ConnectionRegistry
    private let activity: BrokerActivity
    private let responses: ResponseBudget
    private let logger: Logger
    private var address: BrokerCore.Address
    /// Nil before the start, and while the file cannot be used.
    private var core: BrokerCore?
    private var targets: [ReplyToken: ReplyTarget] = [:]
    private var waiting = CircularBuffer<JobQueue.Job>()
    private var hasEnded = false
    private var alarm: (time: Int64, scheduled: Scheduled<Void>)?

    /// Bytes of answers after which a round ends, although more requests wait: answers stay in memory up to its end.
    private static let maxRoundBytes = 64 << 20

    /// A loop that has not begun.
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

    /// Listens and recovers what is in the file, then calls the closure.
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
                        let here = NIOLoopBound(self, eventLoop: self.eventLoop)
                        // What comes on other connections in the same turn of the loop shares the round.
                        self.jobs.onArrival { [eventLoop = self.eventLoop] in
                            eventLoop.execute { here.value.turn() }
                        }
                        self.turn()
                        return BrokerThread.Started(listener: listener, port: port)
                    }
                )
            }
    }

    /// Ends the loop, with all connections.
    func end() {
        self.hasEnded = true
        self.alarm?.scheduled.cancel()
        self.eventLoop.shutdownGracefully(queue: .global()) { _ in }
    }

    /// One round, or several where one would hold too much.
    private func turn() {
        guard !self.hasEnded else { return }
        self.waiting.append(contentsOf: self.jobs.drain())
        guard var core = self.core.take() else { return self.waitForFile() }
        do {
            let isStopping = try self.round(&core)
            try core.finishRound()
            try self.store.commit()
            if let ended = core.takeEndedTransactions() { self.activity.ended(ended) }
            self.send(&core)
            self.tell(&core)
            if isStopping { return self.end() }
            try self.store.relieve()
            let next = core.deadlines.next
            self.core = core
            self.setAlarm(at: self.waiting.isEmpty ? next : 0)
        } catch {
            // Memory is ahead of the file now: begin again from the file, and let the clients ask again.
            self.logger.error("Embedded broker starts over", metadata: [TelemetryKey.errorMessage: "\(error)"])
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

    /// Tries every second until the file can be used again, say because the disk has room; nobody is answered meanwhile.
    private func waitForFile() {
        if self.dropJobs() { return self.end() }
        do {
            self.core = try self.recover()
            self.setAlarm(at: 0)
        } catch {
            self.store.rollback()
            self.logger.critical(
                "Embedded broker cannot use its file",
                metadata: [TelemetryKey.path: "\(self.configuration.path)", TelemetryKey.errorMessage: "\(error)"]
            )
            self.setAlarm(at: BrokerThread.now().monotonic + 1_000)
        }
    }

    /// Closes the connections of requests that nobody will answer; true when the broker is to end.
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

    /// Sees to a turn at a time, or earlier if one has been set for an earlier time.
    private func setAlarm(at time: Int64?) {
        if let alarm = self.alarm {
            if let time, alarm.time <= time { return }
            alarm.scheduled.cancel()
            self.alarm = nil
        }
        guard let time else { return }
        let wait = TimeAmount.milliseconds(max(0, time - BrokerThread.now().monotonic))
        let scheduled = self.eventLoop.assumeIsolated()
            .scheduleTask(in: wait) {
                self.alarm = nil
                self.turn()
            }
        self.alarm = (time, scheduled)
    }

    /// Handles what has gathered, up to a bound; true when the broker is to end.
    private func round(_ core: inout BrokerCore) throws -> Bool {
        var isStopping = false
        let now = BrokerThread.now()
        core.fetchAllowance = self.responses.free
        while core.outboxBytes < Self.maxRoundBytes, let job = self.waiting.popFirst() {
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
                core.outboxBytes += target.answerBytes
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
        guard !core.outbox.isEmpty else { return }
        // The answers of a connection go out in one system call.
        var replies: [UInt64: (channel: any Channel, replies: [Reply])] = [:]
        for (token, response) in core.outbox {
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
        core.outbox.removeAll(keepingCapacity: core.outbox.count < 1_000)
        core.outboxBytes = 0
        for answered in replies.values {
            answered.channel.writeAndFlush(answered.replies, promise: nil)
        }
        if let heaviest = self.responses.heaviestOfTooMuch,
            let channel = self.connections.channel(heaviest)
        {
            channel.pipeline.fireErrorCaught(WireError.slowReader)
        }
    }

    /// Logs what the core wants an operator to know.
    private func tell(_ core: inout BrokerCore) {
        for notice in core.notices { notice.log(self.logger) }
        core.notices = []
    }
}
