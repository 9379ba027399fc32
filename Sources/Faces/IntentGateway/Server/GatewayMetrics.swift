package import CoreMetrics
internal import LocalHTTP
internal import Synchronization
internal import Telemetry

/// Counts the gateway's requests.
package final class GatewayMetrics: Sendable {
    /// A stream that is counted as long as it exists.
    final class Lease: Sendable {
        private let metrics: GatewayMetrics

        init(_ metrics: GatewayMetrics) { self.metrics = metrics }

        deinit { self.metrics.end() }
    }

    private struct Series: Hashable {
        var route: String
        var method: String
        var status: Int
    }

    /// The backend; nil counts nothing.
    private let factory: (any MetricsFactory)?
    private let active = Atomic(0)
    private let counters = Mutex<[Series: any CounterHandler]>([:])
    private let timers = Mutex<[String: any TimerHandler]>([:])
    private let metrics = Metrics.catalog

    package init(_ factory: (any MetricsFactory)?) { self.factory = factory }

    func begin() { self.change(by: 1) }

    func end() { self.change(by: -1) }

    private func change(by count: Int) {
        let now = self.active.add(count, ordering: .relaxed).newValue
        self.factory?.gauge(self.metrics.gatewayActive).set(Int64(now))
    }

    /// A request was answered; a path of no route is not a label, since clients choose it.
    func answered(
        _ method: HTTPServerRequest.Method,
        _ route: String?,
        _ status: Int,
        in duration: Duration
    ) {
        guard let factory else { return }
        let series = Series(route: route ?? "none", method: method.rawValue, status: status)
        self.counters.withLock { counters in
            let counter =
                counters[series]
                ?? factory.counter(
                    self.metrics.gatewayRequests,
                    [series.route, series.method, "\(series.status)"]
                )
            counters[series] = counter
            counter.increment(by: 1)
        }
        self.timers.withLock { timers in
            let timer = timers[series.route] ?? factory.timer(self.metrics.gatewayDuration, [series.route])
            timers[series.route] = timer
            timer.recordNanoseconds(Int64(duration / .nanoseconds(1)))
        }
    }

    func refused(_ reason: TokenRefusal.Reason) {
        self.factory?.counter(self.metrics.gatewayRefusedTokens, [reason.rawValue]).increment(by: 1)
    }

    func limited(_ limit: RequestLimits.Limit) {
        self.factory?.counter(self.metrics.gatewayLimited, [limit.rawValue]).increment(by: 1)
    }

    /// Sets the figures that are read from elsewhere every five seconds, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - connections: The connections of the server.
    ///   - keys: The keys of the issuer; nil without one.
    ///   - lag: The lag of the view; nil when it is not known. It is measured separately: it waits for the brokers.
    func measure(connections: () -> Int, keys: () -> Int?, lag: @escaping @Sendable () async -> Int64?) async {
        guard let factory else { return }
        async let measured: Void = Self.repeatedly {
            let gauge = factory.gauge(self.metrics.gatewayLag)
            if let lag = await lag() { gauge.set(lag) } else { factory.destroyMeter(gauge) }
        }
        await Self.repeatedly {
            factory.gauge(self.metrics.gatewayConnections).set(Int64(connections()))
            if let keys = keys() { factory.gauge(self.metrics.gatewayKeys).set(Int64(keys)) }
        }
        await measured
    }

    private static func repeatedly(_ measure: () async -> Void) async {
        repeat { await measure() } while (try? await Task.sleep(for: .seconds(5))) != nil
    }
}
