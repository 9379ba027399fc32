/// Why the gateway refuses a request, or cannot carry it out: what is wrong, and what would be right (R49, R85).
///
/// HTTP renders it as a problem (RFC 9457), MCP and A2A as an error of JSON-RPC.
package struct GatewayError: Error, Hashable, Sendable {
    /// The kind of failure; clients switch on its name.
    package enum Code: String, CaseIterable, Hashable, Sendable {
        /// The request is malformed: 400.
        case invalidRequest
        /// There is no valid token: 401.
        case unauthorized
        /// The token does not allow that: 403.
        case forbidden
        /// Only the user may confirm that, at the address in the detail: 403 (R89).
        case userMustConfirm
        /// The user has no such interaction, or there is no such resource: 404.
        case notFound
        /// The gateway is not addressed by that host name: 421.
        case misdirected
        /// There is no such method on the resource: 405.
        case methodNotAllowed
        /// The idempotency key was used for another request: 409.
        case idConflict
        /// The prompt is not open any more: 409.
        case superseded
        /// The events after that position were deleted from the topics: 410.
        case positionExpired
        /// The body is too large: 413.
        case tooLarge
        /// The path with its query is too long: 414.
        case targetTooLong
        /// The headers are too large, or too many: 431.
        case headersTooLarge
        /// No handler supports the intent, or a value cannot be read: 422.
        case unprocessable
        /// The caller has made too many requests, or has too many connections: 429.
        case tooManyRequests
        /// Kafka does not take the event, or the view is not ready; the same request again is safe: 503.
        case unavailable
        /// The gateway itself has failed: 500.
        case internalError

        /// The status code of HTTP.
        package var status: Int {
            switch self {
            case .invalidRequest: 400
            case .unauthorized: 401
            case .forbidden, .userMustConfirm: 403
            case .notFound: 404
            case .misdirected: 421
            case .methodNotAllowed: 405
            case .idConflict, .superseded: 409
            case .positionExpired: 410
            case .tooLarge: 413
            case .targetTooLong: 414
            case .headersTooLarge: 431
            case .unprocessable: 422
            case .tooManyRequests: 429
            case .unavailable: 503
            case .internalError: 500
            }
        }
    }

    package var code: Code
    /// For the developers of clients: what is wrong, where, and what would be right.
    package var detail: String
    /// After how many seconds the same request may succeed; for `tooManyRequests` and `unavailable`.
    package var retryAfter: Int?

    package init(_ code: Code, _ detail: String, retryAfter: Int? = nil) {
        self.code = code
        self.detail = detail
        self.retryAfter = retryAfter
    }

    /// The error for a request that the HTTP server refused before routing.
    package init(refusal status: Int, _ detail: String) {
        let code: Code =
            switch status {
            case 405: .methodNotAllowed
            case 413: .tooLarge
            case 414: .targetTooLong
            case 431: .headersTooLarge
            default: .invalidRequest
            }
        self.init(code, detail)
    }
}
