package import CoreMetrics
internal import LibCurl
package import Logging
internal import ServiceLifecycle
internal import Telemetry

/// Sends the spans of a queue to a collector, as OTLP over HTTP.
///
/// Nobody waits for it: while the collector does not answer, spans wait in the queue, and those for which there is no
/// room are dropped and counted.
package struct OTLPExporter: Service {
    /// How often spans are sent.
    private static let interval = Duration.milliseconds(500)
    /// The number of spans in a request.
    private static let batch = 512
    private static let timeout = Duration.seconds(10)
    /// How long the last requests may take when the process ends, once the one on its way is through.
    private static let shutdownTimeout = Duration.seconds(5)
    /// The largest answer.
    private static let maximumBytes = 64 * 1024
    /// The statuses after which the same request may be taken later.
    private static let laterStatuses: Set<Int> = [408, 429, 500, 502, 503, 504]

    private let address: String
    private let encoding: OTLPEncoding
    private let queue: SpanQueue
    private let exported: any CounterHandler
    private let dropped: any CounterHandler
    private let logger: Logger

    /// Makes the exporter of a process.
    ///
    /// - Parameters:
    ///   - endpoint: The collector's address; `/v1/traces` is added.
    ///   - encoding: How spans become bytes.
    ///   - queue: The spans.
    ///   - factory: The metrics backend.
    ///   - logger: Logs when the collector stops responding, and when it responds again.
    package init(
        endpoint: String,
        encoding: OTLPEncoding,
        queue: SpanQueue,
        factory: any MetricsFactory,
        logger: Logger
    ) {
        self.address = (endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint) + "/v1/traces"
        self.encoding = encoding
        self.queue = queue
        self.exported = factory.counter(Metrics.catalog.spansExported)
        self.dropped = factory.counter(Metrics.catalog.spansDropped)
        self.logger = logger
    }

    /// Sends spans until the process ends, then the last ones.
    package func run() async throws {
        var outage = Outage()
        // Only the wait is cut short: a request that was cancelled would be sent again, and its spans be there twice.
        while await Self.pause() { await self.flush(timeout: Self.timeout, &outage) }
        let deadline = ContinuousClock.now + Self.shutdownTimeout
        await self.flush(timeout: Self.shutdownTimeout, until: deadline, &outage)
        let left = self.queue.first(.max).count
        self.queue.removeFirst(left)
        if left > 0 { self.dropped.increment(by: Int64(left)) }
    }

    /// Waits until it is time to send; false when the process ends.
    private static func pause() async -> Bool {
        await cancelWhenGracefulShutdown { (try? await Task.sleep(for: Self.interval)) != nil }
    }

    /// Whether the collector takes spans.
    private struct Outage {
        var isReported = false
    }

    /// Sends what is in the queue, as long as the collector takes it.
    private func flush(
        timeout: Duration,
        until deadline: ContinuousClock.Instant? = nil,
        _ outage: inout Outage
    ) async {
        defer {
            let dropped = self.queue.drainDropped()
            if dropped > 0 { self.dropped.increment(by: Int64(dropped)) }
        }
        while true {
            let spans = self.queue.first(Self.batch)
            if spans.isEmpty { return }
            // The last flush has a deadline of its own.
            if deadline.map({ $0 <= .now }) ?? Task.isShuttingDownGracefully { return }
            switch await self.send(self.encoding.request(spans), timeout: timeout) {
            case .taken:
                self.exported.increment(by: Int64(spans.count))
                if outage.isReported { self.logger.notice("Exporting spans to the trace collector again") }
                outage.isReported = false
            case .refused(let reason):
                self.dropped.increment(by: Int64(spans.count))
                self.report(reason, &outage)
            case .later(let reason):
                self.report(reason, &outage)
                return
            case .cancelled: return
            }
            self.queue.removeFirst(spans.count)
        }
    }

    private func report(_ reason: String, _ outage: inout Outage) {
        guard !outage.isReported else { return }
        outage.isReported = true
        self.logger.warning(
            "Cannot export spans to the trace collector",
            metadata: [TelemetryKey.address: "\(self.address)", TelemetryKey.errorMessage: "\(reason)"]
        )
    }

    /// The outcome of a request.
    private enum SendResult {
        /// The collector has it.
        case taken
        /// The collector does not take it, and never will.
        case refused(String)
        /// The collector may take it later.
        case later(String)
        /// The process ends.
        case cancelled
    }

    private func send(_ body: [UInt8], timeout: Duration) async -> SendResult {
        let request = HTTPRequest(
            body,
            to: self.address,
            headers: ["Content-Type": "application/x-protobuf"],
            timeout: timeout,
            maximumBytes: Self.maximumBytes
        )
        do {
            let reply = try await HTTPSession.shared.reply(to: request)
            if (200..<300).contains(reply.status) { return .taken }
            let reason = "it responds with status \(reply.status)"
            return Self.laterStatuses.contains(reply.status) ? .later(reason) : .refused(reason)
        } catch is CancellationError {
            return .cancelled
        } catch {
            return .later(String(describing: error))
        }
    }
}
