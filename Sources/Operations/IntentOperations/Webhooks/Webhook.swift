package import IntentEvents
internal import Foundation
internal import LibCurl

/// The URL that events are posted to, with the secrets that sign the posts (R88).
package struct Webhook: Sendable {
    /// What became of a post.
    package enum Result: Hashable, Sendable {
        case delivered
        /// The receiver will never take this event.
        case refused(String)
        /// Another post may succeed, after the time that the receiver asks for.
        case failed(String, retryAfter: Duration?)
        /// There was no answer in time: another post may succeed, but posts of other events will probably fail too.
        case unanswered(String)

        /// Why it was not delivered; nil when it was.
        package var reason: String? {
            switch self {
            case .delivered: nil
            case .refused(let reason), .failed(let reason, _), .unanswered(let reason): reason
            }
        }

        /// The time that the receiver asks for.
        package var retryAfter: Duration? { if case .failed(_, let time) = self { time } else { nil } }
    }

    /// The largest response; it says nothing, and is not kept.
    private static let maximumResponseBytes = 64 << 10
    /// The statuses that say about the event itself that it is never accepted.
    ///
    /// Others of 4xx are about the address, its credentials or the moment, and pass when somebody corrects them.
    private static let refusals: Set<Int> = [400, 410, 413, 415, 422]

    package var address: String
    package var secrets: [WebhookSecret]
    /// The types of the events that are posted.
    package var types: Set<EventType>
    package var timeout: Duration
    /// How long after an event was written its post is retried.
    package var retryFor: Duration

    package init(
        _ address: String,
        secrets: [WebhookSecret],
        types: Set<EventType> = Set(UserEvent.types),
        timeout: Duration = .seconds(10),
        retryFor: Duration = .seconds(86_400)
    ) {
        self.address = address
        self.secrets = secrets
        self.types = types
        self.timeout = timeout
        self.retryFor = retryFor
    }

    /// The webhook of a configuration, with its secrets; nil where none is set.
    /// - Throws: ``OperationError`` (78) that names a secret that is missing or has another form.
    package init?(
        _ configuration: Configuration,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(OperationError) {
        guard let address = configuration.text(.gatewayWebhookURL) else { return nil }
        var secrets: [WebhookSecret] = []
        for source in configuration.list(.gatewayWebhookSecrets).compactMap({ SecretSource($0) }) {
            let text: String
            do throws(OperationError) {
                text = try source.read(environment)
            } catch {
                throw configuration.failure(.gatewayWebhookSecrets, "gateway.webhooks.secrets: \(error.message)")
            }
            guard let secret = WebhookSecret(text) else {
                throw configuration.failure(
                    .gatewayWebhookSecrets,
                    "gateway.webhooks.secrets: the secret in \(source) must be \(WebhookSecret.expectation)"
                )
            }
            secrets.append(secret)
        }
        let types = configuration.list(.gatewayWebhookEvents).compactMap { EventType(rawValue: $0) }
        self.init(
            address,
            secrets: secrets,
            types: types.isEmpty ? Set(UserEvent.types) : Set(types),
            timeout: configuration.duration(.gatewayWebhookTimeout),
            retryFor: configuration.duration(.gatewayWebhookRetryFor)
        )
    }

    /// The headers of a message, with a signature by each secret.
    package func headers(of message: WebhookMessage, at time: Timestamp) -> [String: String] {
        let seconds = time.milliseconds / 1_000
        return [
            "Content-Type": "application/json",
            "webhook-id": message.id,
            "webhook-timestamp": String(seconds),
            "webhook-signature": self.secrets.map { $0.signature(of: message, at: seconds) }.joined(separator: " "),
        ]
    }

    /// Posts a message once.
    /// - Throws: `CancellationError`, only when the task is cancelled.
    package func post(_ message: WebhookMessage, at time: Timestamp) async throws(CancellationError) -> Result {
        let request = HTTPRequest(
            message.body,
            to: self.address,
            headers: self.headers(of: message, at: time),
            timeout: self.timeout,
            maximumBytes: Self.maximumResponseBytes
        )
        do {
            let reply = try await HTTPSession.shared.reply(to: request)
            return Self.result(of: reply.status, retryAfter: reply.retryAfter)
        } catch {
            return try Self.result(of: error)
        }
    }

    /// What an error of a post means.
    /// - Throws: `CancellationError`, when the task is cancelled.
    static func result(of error: any Error) throws(CancellationError) -> Result {
        if Task.isCancelled { throw CancellationError() }
        return .unanswered("\(error)")
    }

    /// What a status means.
    package static func result(of status: Int, retryAfter: Duration?) -> Result {
        switch status {
        case 200..<300: .delivered
        case _ where Self.refusals.contains(status): .refused("the webhook answered \(status)")
        default: .failed("the webhook answered \(status)", retryAfter: retryAfter)
        }
    }
}
