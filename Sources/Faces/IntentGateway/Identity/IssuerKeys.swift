internal import Dispatch
internal import IntentOperations
internal import LibCurl
package import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import Telemetry

/// The issuer's keys, read from a file or a URL and kept current.
///
/// Keys that were read stay until others are read: an issuer that does not answer, or whose document has no usable key,
/// locks nobody out. A token with an unknown key id causes another read, at most every 10 s.
package final class IssuerKeys: Sendable {
    /// Why keys could not be read.
    struct Failure: Error, Hashable, CustomStringConvertible {
        var description: String
    }

    /// The time between two reads that unknown key ids cause.
    static let minimumInterval = Duration.seconds(10)
    /// The time between two reads otherwise.
    static let fileInterval = Duration.seconds(5)
    static let addressInterval = Duration.seconds(300)
    /// The waits after failures, until there are keys.
    static let firstRetry = Duration.milliseconds(250)
    static let longestRetry = Duration.seconds(5)

    private struct State {
        var keys: JSONWebKeySet?
        var document: [UInt8] = []
        /// Raised when other keys were read.
        var version = 0
        var failure: Failure?
        var readAt: ContinuousClock.Instant?
        /// The read in progress, which all that need it wait for.
        var reading: Task<Void, Never>?
    }

    private let source: String
    private let load: @Sendable () async throws -> [UInt8]
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())
    private let logger: Logger

    /// The keys at a file or a URL; none has been read yet.
    package convenience init(_ source: String, logger: Logger) {
        self.init(
            source,
            logger: logger,
            now: { .now },
            load: { try await source.contains("://") ? Self.request(source) : Self.read(source) }
        )
    }

    init(
        _ source: String,
        logger: Logger,
        now: @escaping @Sendable () -> ContinuousClock.Instant,
        load: @escaping @Sendable () async throws -> [UInt8]
    ) {
        self.source = source
        self.load = load
        self.now = now
        self.logger = logger
    }

    private static func request(_ address: String) async throws -> [UInt8] {
        let reply = try await HTTPSession.shared.reply(
            to: HTTPRequest(
                nil,
                to: address,
                headers: ["Accept": "application/jwk-set+json, application/json"],
                timeout: .seconds(5),
                maximumBytes: JSONWebKeySet.maximumBytes
            )
        )
        guard reply.status == 200 else { throw Failure(description: "the issuer answers with status \(reply.status)") }
        return reply.body
    }

    /// Reads the file on a thread that may block: it can be on a network.
    private static func read(_ path: String) async throws -> [UInt8] {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global()
                .async {
                    continuation.resume(
                        with: Result { try Array(InputFile.data(of: path, maximumBytes: JSONWebKeySet.maximumBytes)) }
                    )
                }
        }
    }

    // MARK: Reading

    /// Reads the keys at once, and again and again until the group shuts down.
    package func run() async {
        await cancelWhenGracefulShutdown {
            var retry = Self.firstRetry
            while !Task.isCancelled {
                await self.refresh()
                let usual = self.source.contains("://") ? Self.addressInterval : Self.fileInterval
                let hasKeys = self.current.keys != nil
                try? await Task.sleep(for: hasKeys ? usual : retry)
                retry = hasKeys ? Self.firstRetry : min(retry * 2, Self.longestRetry)
            }
        }
    }

    /// The keys, and their version; nil before the first read.
    var current: (keys: JSONWebKeySet?, version: Int) { self.state.withLock { ($0.keys, $0.version) } }

    /// The keys after a read that an unknown key id causes, unless the last one was a moment ago.
    func refreshed() async -> (keys: JSONWebKeySet?, version: Int) {
        await self.refresh(ifOlderThan: Self.minimumInterval)
        return self.current
    }

    /// Why there are no usable keys; nil when there are.
    package var problem: String? {
        self.state.withLock { state in
            state.keys == nil ? state.failure?.description ?? "not read yet" : nil
        }
    }

    /// Reads the keys, or waits for the read in progress; does neither when the last read is less than `age` ago.
    func refresh(ifOlderThan age: Duration = .zero) async {
        let reading = self.state.withLock { state -> Task<Void, Never>? in
            if let reading = state.reading { return reading }
            if let readAt = state.readAt, self.now() - readAt < age { return nil }
            let reading = Task { await self.readOnce() }
            state.reading = reading
            return reading
        }
        await reading?.value
    }

    private func readOnce() async {
        let result: Result<(JSONWebKeySet, [UInt8]), Failure>
        do {
            let bytes = try await self.load()
            result =
                JSONWebKeySet(parsing: bytes).map { .success(($0, bytes)) }
                ?? .failure(
                    Failure(description: "there is no JWKS with a key for RS256 (2048 bits or more), ES256 or EdDSA")
                )
        } catch {
            result = .failure(Failure(description: "\(error)"))
        }
        let now = self.now()
        let report = self.state.withLock { state -> Failure? in
            state.reading = nil
            state.readAt = now
            switch result {
            case .success(let (keys, document)):
                state.failure = nil
                if document == state.document { return nil }
                state.keys = keys
                state.document = document
                state.version += 1
                return nil
            case .failure(let failure):
                defer { state.failure = failure }
                return state.failure == failure ? nil : failure
            }
        }
        guard let report else { return }
        self.logger.error(
            "The issuer's keys cannot be read; those that were read before stay in use. Check gateway.keys.",
            metadata: [TelemetryKey.path: "\(self.source)", TelemetryKey.errorMessage: "\(report)"]
        )
    }
}
