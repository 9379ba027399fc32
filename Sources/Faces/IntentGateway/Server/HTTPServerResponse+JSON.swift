package import IntentKit
package import LocalHTTP

extension HTTPServerResponse {
    /// A response with a JSON value.
    package init(status: Int = 200, json: JSONValue) {
        self.init(status: status, type: "application/json", text: json.description)
    }

    /// An error as a problem (RFC 9457).
    package init(_ error: GatewayError) {
        self.init(
            status: error.code.status,
            type: "application/problem+json",
            text: error.problem.description
        )
        if let seconds = error.retryAfter { self.headers.append((name: "Retry-After", value: "\(seconds)")) }
    }
}

extension GatewayError {
    /// The body of a problem.
    var problem: JSONValue {
        [
            "type": "about:blank", "title": .string(self.code.title), "status": .integer(Int64(self.code.status)),
            "code": .string(self.code.rawValue), "detail": .string(self.detail),
        ]
    }
}

extension GatewayError.Code {
    /// The reason phrase of the status.
    fileprivate var title: String {
        switch self.status {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 409: "Conflict"
        case 410: "Gone"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 503: "Service Unavailable"
        default: "Internal Server Error"
        }
    }
}
