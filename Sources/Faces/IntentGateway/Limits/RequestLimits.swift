package import IntentEvents
internal import Synchronization

/// Limits the requests of users and of clients, in a second and at a time.
///
/// Each replica counts by itself. The tables are bounded: at the limit those who have made no request for a while are
/// forgotten, and if there are none, further users share one entry.
package final class RequestLimits: Sendable {
    /// The limits of a user, or of a client with all its users.
    package struct Rate: Hashable, Sendable {
        /// Requests in a second; twice as many in a burst.
        package var perSecond: Int
        /// Requests at a time.
        package var concurrent: Int

        package init(perSecond: Int, concurrent: Int) {
            self.perSecond = perSecond
            self.concurrent = concurrent
        }
    }

    package struct Configuration: Hashable, Sendable {
        package var user = Rate(perSecond: 50, concurrent: 32)
        package var client = Rate(perSecond: 5_000, concurrent: 16_384)
        /// The most users, and the most clients, that are counted by themselves.
        package var entries = 100_000

        package init() {}
    }

    package enum Limit: String, CaseIterable, Sendable {
        case userRate, userConcurrency, clientRate, clientConcurrency
    }

    /// A limit is reached.
    package struct Exceeded: Error, Hashable, Sendable, CustomStringConvertible {
        package var limit: Limit
        /// After how many seconds a request may be admitted.
        package var retryAfter: Int

        package var description: String {
            switch self.limit {
            case .userRate: "The user makes too many requests in a second."
            case .userConcurrency: "The user has too many requests open: end one, or wait until one ends."
            case .clientRate: "The client makes too many requests in a second."
            case .clientConcurrency: "The client has too many requests open: end one, or wait until one ends."
            }
        }
    }

    /// A request that was admitted; it counts as open until this is released.
    package final class Lease: Sendable {
        private let release: @Sendable () -> Void

        fileprivate init(_ release: @escaping @Sendable () -> Void) { self.release = release }

        deinit { self.release() }
    }

    /// A token bucket, and what is open.
    private struct Entry {
        var tokens: Double
        var filledAt: ContinuousClock.Instant
        var open = 0

        mutating func fill(_ rate: Rate, at now: ContinuousClock.Instant) {
            let seconds = (now - self.filledAt) / .seconds(1)
            self.tokens = min(Double(2 * rate.perSecond), self.tokens + seconds * Double(rate.perSecond))
            self.filledAt = now
        }
    }

    /// The entries of users, or of clients.
    private struct Table {
        var entries: [String: Entry] = [:]
        private var sweptAt: ContinuousClock.Instant?

        /// The key of somebody's entry, which is filled up, or made.
        mutating func key(
            _ name: String,
            _ rate: Rate,
            maximum: Int,
            at now: ContinuousClock.Instant
        ) -> String {
            if self.entries[name] == nil, self.entries.count >= maximum { self.sweep(at: now) }
            let isKnown = self.entries[name] != nil || self.entries.count < maximum
            let key = isKnown ? name : ""
            self.entries[key, default: Entry(tokens: Double(2 * rate.perSecond), filledAt: now)].fill(rate, at: now)
            return key
        }

        /// Forgets those who have as many tokens as somebody new; at most once a second, since it takes time.
        private mutating func sweep(at now: ContinuousClock.Instant) {
            if let sweptAt, now - sweptAt < .seconds(1) { return }
            self.sweptAt = now
            self.entries = self.entries.filter { $0.value.open > 0 || now - $0.value.filledAt < .seconds(2) }
        }
    }

    private struct State {
        var users = Table()
        var clients = Table()
    }

    private let configuration: Configuration
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())

    package convenience init(_ configuration: Configuration, clock: ContinuousClock) {
        self.init(configuration) { clock.now }
    }

    init(_ configuration: Configuration, now: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.configuration = configuration
        self.now = now
    }

    /// Admits a request.
    /// - Throws: ``Exceeded`` for the first limit that is reached; the request then counts for none.
    package func admit(user: UserID, client: String?) throws(Exceeded) -> Lease {
        let now = self.now()
        let (user, configuration) = (user.text, self.configuration)
        let result = self.state.withLock { state -> Result<(String, String?), Exceeded> in
            let maximum = configuration.entries
            let userKey = state.users.key(user, configuration.user, maximum: maximum, at: now)
            let clientKey = client.map { state.clients.key($0, configuration.client, maximum: maximum, at: now) }
            let ofUser = state.users.entries[userKey]
            if let exceeded = Self.exceeded(ofUser, configuration.user, .userRate, .userConcurrency) {
                return .failure(exceeded)
            }
            if let clientKey {
                let ofClient = state.clients.entries[clientKey]
                if let exceeded = Self.exceeded(ofClient, configuration.client, .clientRate, .clientConcurrency) {
                    return .failure(exceeded)
                }
                state.clients.entries[clientKey]?.tokens -= 1
                state.clients.entries[clientKey]?.open += 1
            }
            state.users.entries[userKey]?.tokens -= 1
            state.users.entries[userKey]?.open += 1
            return .success((userKey, clientKey))
        }
        let (userKey, clientKey) = try result.get()
        return Lease { [weak self] in
            self?.state
                .withLock { state in
                    state.users.entries[userKey]?.open -= 1
                    if let clientKey { state.clients.entries[clientKey]?.open -= 1 }
                }
        }
    }

    /// How many users and clients are counted by themselves.
    var entryCount: Int { self.state.withLock { $0.users.entries.count + $0.clients.entries.count } }

    private static func exceeded(_ entry: Entry?, _ rate: Rate, _ inRate: Limit, _ inNumber: Limit) -> Exceeded? {
        guard let entry else { return nil }
        if entry.open >= rate.concurrent { return Exceeded(limit: inNumber, retryAfter: 1) }
        guard entry.tokens < 1 else { return nil }
        let seconds = (1 - entry.tokens) / Double(rate.perSecond)
        return Exceeded(limit: inRate, retryAfter: max(1, Int(seconds.rounded(.up))))
    }
}
