package import Logging
package import NIOCore
internal import Synchronization
internal import Telemetry

/// The open connections of a server, up to a limit.
///
/// At the limit a new connection replaces the one whose client has been waited for longest, so that clients that hold
/// connections without using them keep nobody out. Clients that have not completed any request within a second are the
/// first. A connection whose client waits for an answer is never closed for another one: a new connection is refused
/// only when all of them are such.
package final class OpenConnections: Sendable {
    private struct State {
        var nextID: UInt64 = 1
        var open: [UInt64: OpenConnection] = [:]
        var isClosed = false
        var unreported = Losses()
        var isReportScheduled = false
        var lastReport: NIODeadline?
    }

    /// The connections that were closed for others, and those that were refused.
    private struct Losses {
        var replaced = 0
        var refused = 0
        var client = ""
    }

    /// How long a client may take to its first request before it is among the first to be replaced.
    static let firstRequestGrace = TimeAmount.seconds(1)
    /// How long losses are counted before the first line about them.
    private static let reportDelay = TimeAmount.seconds(1)
    /// The time between two lines.
    private static let reportInterval = TimeAmount.seconds(60)

    private let limit: Int
    private let logger: Logger
    private let state = Mutex(State())

    /// Creates it without connections.
    ///
    /// - Parameters:
    ///   - limit: The largest number of connections.
    ///   - logger: Where it is logged, once a minute at most, that connections were closed or refused.
    package init(limit: Int, logger: Logger) {
        self.limit = limit
        self.logger = logger
    }

    /// Adds a connection until its channel closes; may close another one for it.
    ///
    /// Called on the channel's event loop.
    ///
    /// - Returns: nil when the connection is refused: the caller closes it.
    package func add(_ channel: any Channel) -> OpenConnection? {
        let now = channel.eventLoop.now
        let (added, replaced) = self.state.withLock { state -> (OpenConnection?, OpenConnection?) in
            guard !state.isClosed else { return (nil, nil) }
            var replaced: OpenConnection?
            if state.open.count >= self.limit {
                replaced = Self.longestAwaited(state.open.values, at: now)
                guard let replaced else {
                    state.unreported.refused += 1
                    return (nil, nil)
                }
                state.open[replaced.id] = nil
                state.unreported.replaced += 1
                state.unreported.client = replaced.channel.remoteAddress?.ipAddress ?? ""
            }
            let added = OpenConnection(id: state.nextID, channel: channel, at: now)
            state.nextID += 1
            state.open[added.id] = added
            return (added, replaced)
        }
        if let added {
            channel.closeFuture.whenComplete { _ in self.state.withLock { $0.open[added.id] = nil } }
        }
        replaced?.channel.close(promise: nil)
        if added == nil || replaced != nil { self.scheduleReport(on: channel.eventLoop) }
        return added
    }

    package func channel(_ id: UInt64) -> (any Channel)? {
        self.state.withLock { $0.open[id]?.channel }
    }

    /// Fires an event in the pipeline of each open connection.
    package func tell(_ event: some Sendable) {
        let channels = self.state.withLock { $0.open.values.map(\.channel) }
        for channel in channels { channel.pipeline.fireUserInboundEventTriggered(event) }
    }

    /// How many connections are open.
    package var count: Int { self.state.withLock(\.open.count) }

    /// Closes all connections, and refuses further ones.
    package func close() async {
        let channels = self.state.withLock { state in
            state.isClosed = true
            return state.open.values.map(\.channel)
        }
        for channel in channels { try? await channel.close() }
    }

    private static func longestAwaited(_ open: some Sequence<OpenConnection>, at now: NIODeadline) -> OpenConnection? {
        var longest: (connection: OpenConnection, rank: (Int, NIODeadline))?
        for connection in open {
            guard let since = connection.clientIsAwaitedSince else { continue }
            let isOverdue = !connection.hasAsked && now - since >= Self.firstRequestGrace
            let rank = (isOverdue ? 0 : 1, since)
            if longest.map({ rank < $0.rank }) ?? true { longest = (connection, rank) }
        }
        return longest?.connection
    }

    /// Logs the losses a moment later, so that a burst of them is one line, and at most once a minute.
    private func scheduleReport(on eventLoop: any EventLoop) {
        let deadline = self.state.withLock { state -> NIODeadline? in
            guard !state.isReportScheduled, !state.isClosed else { return nil }
            state.isReportScheduled = true
            let soon = eventLoop.now + Self.reportDelay
            return max(soon, state.lastReport.map { $0 + Self.reportInterval } ?? soon)
        }
        guard let deadline else { return }
        _ = eventLoop.scheduleTask(deadline: deadline) { self.report(at: eventLoop.now) }
    }

    private func report(at now: NIODeadline) {
        let losses = self.state.withLock { state in
            defer { state.unreported = Losses() }
            state.isReportScheduled = false
            state.lastReport = now
            return state.unreported
        }
        self.logger.warning(
            "Connection limit reached; closed idle connections for new ones, or refused new ones",
            metadata: [
                TelemetryKey.limitValue: "\(self.limit)", TelemetryKey.connectionsReplaced: "\(losses.replaced)",
                TelemetryKey.connectionsRefused: "\(losses.refused)", TelemetryKey.client: "\(losses.client)",
            ]
        )
    }
}
