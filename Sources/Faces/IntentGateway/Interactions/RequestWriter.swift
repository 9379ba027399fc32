internal import IntentEvents
package import IntentRuntime
internal import Synchronization

/// Writes events to `requests` with one idempotent producer, which puts those of many callers into one batch.
///
/// A producer that fails for good is replaced at the next call.
package final class RequestWriter: Sendable {
    private let log: any EventLog
    private let limit: Duration
    private let timer: any Clock<Duration>
    private let producer = Mutex<Task<any LogProducer, any Error>?>(nil)

    /// Connects at the first call.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - limit: How long a call waits for the log.
    ///   - timer: Measures that.
    package init(_ log: any EventLog, limit: Duration = .seconds(5), timer: any Clock<Duration> = ContinuousClock()) {
        self.log = log
        self.limit = limit
        self.timer = timer
    }

    /// Writes a record, and returns its offset when it is acknowledged.
    ///
    /// - Throws: ``GatewayError``: `tooLarge`; `unavailable`, when it is not acknowledged in time. It may be written all
    ///   the same.
    func write(_ record: OutgoingRecord) async throws(GatewayError) -> Int64 {
        let producer = self.currentProducer()
        let result = await self.limited {
            try await producer.value.send([record])
        }
        switch result {
        case .success(let offsets)?: return offsets[0]
        case .failure(let error)?:
            if (error as? LogError)?.code == .recordTooLarge {
                throw GatewayError(.tooLarge, "The event is larger than its topic accepts.")
            }
            self.producer.withLock { $0 = $0 == producer ? nil : $0 }
            throw Self.unavailable
        case nil: throw Self.unavailable
        }
    }

    /// Waits for writes in flight, and closes the connection.
    package func close() async {
        let producer = self.producer.withLock { producer in
            defer { producer = nil }
            return producer
        }
        try? await producer?.value.close()
    }

    private static let unavailable = GatewayError(
        .unavailable,
        "Kafka has not taken the event in time. The same request again, with the same Idempotency-Key, is safe.",
        retryAfter: 2
    )

    private func currentProducer() -> Task<any LogProducer, any Error> {
        self.producer.withLock { producer in
            if let producer { return producer }
            let made = Task { [log] in try await log.makeProducer() }
            producer = made
            return made
        }
    }

    /// The result of a call; nil when the time is over first.
    ///
    /// The call then continues by itself.
    private func limited<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async -> Result<Value, any Error>? {
        await withCheckedContinuation { continuation in
            let waiting = FirstAnswer(continuation)
            let timer = Task { [limit, timer] in
                guard (try? await timer.sleep(for: limit)) != nil else { return }
                waiting.resume(nil)
            }
            Task {
                let result: Result<Value, any Error>
                do { result = .success(try await body()) } catch { result = .failure(error) }
                timer.cancel()
                waiting.resume(result)
            }
        }
    }
}

/// A continuation that is resumed by the first of two tasks.
private final class FirstAnswer<Value: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Value?, Never>?>

    init(_ continuation: CheckedContinuation<Value?, Never>) { self.continuation = Mutex(continuation) }

    func resume(_ value: Value?) {
        let continuation = self.continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        continuation?.resume(returning: value)
    }
}
