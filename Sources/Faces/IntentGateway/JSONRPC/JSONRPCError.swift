package import IntentKit

/// An error of JSON-RPC.
package struct JSONRPCError: Error, Hashable, Sendable {
    /// Its number; those that JSON-RPC does not define mean one thing in MCP and another one in A2A.
    package struct Code: Hashable, Sendable {
        package var rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let parseError = Self(rawValue: -32700)
        package static let invalidRequest = Self(rawValue: -32600)
        package static let methodNotFound = Self(rawValue: -32601)
        package static let invalidParams = Self(rawValue: -32602)
        package static let internalError = Self(rawValue: -32603)
    }

    package var code: Code
    package var message: String
    package var data: JSONValue?

    package init(_ code: Code, _ message: String, data: JSONValue? = nil) {
        self.code = code
        self.message = message
        self.data = data
    }

    package static func invalidRequest(_ message: String) -> Self { Self(.invalidRequest, message) }

    package static func invalidParams(_ message: String) -> Self { Self(.invalidParams, message) }

    package static func methodNotFound(_ method: String, supported: [String]) -> Self {
        Self(
            .methodNotFound,
            "Unknown method \(method)\(NearMiss.hint(method, among: supported)).",
            data: ["supported": .array(supported.sorted().map(JSONValue.string))]
        )
    }

    /// The error as a response; `null` as the id where the request's could not be read.
    package func response(to id: JSONRPCID?) -> JSONValue {
        let error = JSONValue.members([
            "code": .integer(Int64(self.code.rawValue)), "message": .string(self.message), "data": self.data,
        ])
        return ["jsonrpc": "2.0", "id": id?.json ?? .null, "error": error]
    }
}

extension JSONRPCError {
    /// The error for what the gateway refuses; its code's name, and when to try again, are in the data.
    package init(_ error: GatewayError) {
        let code: Code =
            switch error.code {
            case .invalidRequest, .tooLarge, .targetTooLong, .headersTooLarge, .methodNotAllowed: .invalidRequest
            case .misdirected, .notFound, .idConflict, .superseded, .unprocessable, .positionExpired, .forbidden,
                .userMustConfirm:
                .invalidParams
            case .unauthorized, .tooManyRequests, .unavailable, .internalError: .internalError
            }
        self.init(code, error.detail, data: Self.data(error))
    }

    static func data(_ error: GatewayError) -> JSONValue {
        .members([
            "code": .string(error.code.rawValue),
            "retryAfter": error.retryAfter.map { .integer(Int64($0)) },
        ])
    }
}
