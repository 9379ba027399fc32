import Foundation
import IntentKit
import LibCurl
import Telemetry
import Tracing

/// Posts to an endpoint for a turn, and separates transient failures from permanent ones (R35).
struct HTTPExchange: Sendable {
    let endpoint: HTTPEndpoint
    /// Whether the outcome of the post is looked up: then every failure after which it may have been received is
    /// transient, also the last one (R76).
    var isLookedUp = false

    /// Posts JSON and waits for the whole answer, whatever its status.
    ///
    /// - Parameters:
    ///   - body: The body to post.
    ///   - key: The `Idempotency-Key`; nil for none.
    ///   - context: The turn.
    /// - Returns: The answer.
    /// - Throws: ``HTTPPassingError`` as long as the definition allows another attempt, otherwise ``HTTPLastingError``.
    func post(_ body: JSONValue, key: String?, _ context: TurnContext) async throws -> HTTPReply {
        let problems = self.endpoint.problems.map(\.message)
        guard problems.isEmpty else {
            throw self.failure(problems.joined(separator: "; "), nil, context)
        }
        do {
            return try await self.send(body.utf8, key: key, isLast: self.isLast(context))
        } catch let error as HTTPExchangeError {
            let failure: HTTPRetry.Failure? =
                switch error {
                case .timedOut: .timeout
                case .failed: .connection
                case .tooLarge: self.isLookedUp ? .connection : nil
                case .invalidAddress: nil
                }
            throw self.failure("\(error)", failure, context)
        }
    }

    /// Posts bytes with the endpoint's headers, and with the context of the turn's trace, if it is traced (R66).
    ///
    /// The last attempt gets a connection of its own: one that was kept open may break through no fault of the service,
    /// and nobody would try again.
    /// - Throws: `HTTPExchangeError`; `CancellationError`.
    func send(_ body: [UInt8], key: String?, isLast: Bool = false) async throws -> HTTPReply {
        var headers = self.endpoint.headers.compactMapValues(\.value)
        headers["Content-Type"] = "application/json"
        headers["Accept"] = headers["Accept"] ?? "application/json"
        headers["Idempotency-Key"] = key
        if let context = ServiceContext.current {
            InstrumentationSystem.tracer.inject(context, into: &headers, using: TraceHeaders())
        }
        return try await HTTPSession.shared.reply(
            to:
                HTTPRequest(
                    body,
                    to: self.endpoint.address,
                    headers: headers,
                    tls: self.endpoint.tls?.files ?? TLSFiles(),
                    needsNewConnection: isLast,
                    timeout: self.endpoint.timeout,
                    maximumBytes: HTTPEndpoint.maximumAnswerBytes
                )
        )
    }

    /// Whether the definition allows no further attempt.
    func isLast(_ context: TurnContext) -> Bool {
        context.attempt >= self.endpoint.attempts ?? self.endpoint.retry?.policy.attempts ?? .max
    }

    /// An error of this post.
    ///
    /// - Parameters:
    ///   - message: What went wrong.
    ///   - failure: The kind of failure, if a later attempt may succeed.
    ///   - reply: The answer, whose `Retry-After` counts for the statuses 429 and 503.
    ///   - context: The turn.
    /// - Returns: ``HTTPPassingError`` or ``HTTPLastingError``.
    func failure(
        _ message: String,
        _ failure: HTTPRetry.Failure?,
        after reply: HTTPReply? = nil,
        _ context: TurnContext
    ) -> any Error {
        let text = "POST \(self.endpoint.displayURL): \(message)"
        let isTriedAgain = failure.map { self.endpoint.retry?.covers($0) ?? true } ?? false
        guard failure != nil, self.isLookedUp || isTriedAgain && !self.isLast(context) else {
            return HTTPLastingError(description: text)
        }
        let isBusy = reply.map { [429, 503].contains($0.status) } ?? false
        return HTTPPassingError(description: text, retryAfter: isBusy ? reply?.retryAfter : nil)
    }
}

/// The error of a post that failed for a transient reason.
struct HTTPPassingError: TransientError, CustomStringConvertible {
    /// What was posted where, and the result.
    var description: String
    /// How long the service asks to wait.
    var retryAfter: Duration?
}

/// The error of a post that failed permanently.
struct HTTPLastingError: Error, CustomStringConvertible {
    /// What was posted where, and the result.
    var description: String
}
