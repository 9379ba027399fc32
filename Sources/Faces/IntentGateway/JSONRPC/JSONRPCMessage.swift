package import IntentKit

/// A message of JSON-RPC 2.0, as MCP and A2A send it.
///
/// One HTTP body or one line holds one message. Neither protocol has batches any more, and an array is refused.
package enum JSONRPCMessage: Hashable, Sendable {
    case request(JSONRPCRequest)
    /// A request without an id, which gets no response.
    case notification(method: String, params: JSONObject)
    /// A client's response to a request that the server has sent.
    case response(id: JSONRPCID, Result<JSONObject, JSONRPCError>)

    /// The largest message in bytes; a request for an intent has the same limit on the log.
    package static let maximumByteCount = 1 << 20

    /// Reads a message.
    /// - Throws: ``JSONRPCError``: no JSON (`-32700`), no message, a batch, or an id of another type (`-32600`).
    package init(parsing bytes: [UInt8]) throws(JSONRPCError) {
        guard bytes.count <= Self.maximumByteCount else {
            throw .invalidRequest("The message has more than \(Self.maximumByteCount) bytes.")
        }
        let json: JSONValue
        do throws(JSONParsingError) {
            json = try JSONValue(parsing: bytes, maximumDepth: 64)
        } catch {
            throw JSONRPCError(.parseError, "The message is not JSON: \(error.message) at byte \(error.offset).")
        }
        try self.init(json)
    }

    package init(_ json: JSONValue) throws(JSONRPCError) {
        guard let members = json.object else {
            throw .invalidRequest(
                json.array == nil
                    ? "A message is an object, not \(json.kind)." : "Batches are not supported: send one message."
            )
        }
        guard members["jsonrpc"] == "2.0" else { throw .invalidRequest("jsonrpc must be \"2.0\".") }
        let id = try members["id"].map { json throws(JSONRPCError) in try JSONRPCID(json) }
        guard let method = members["method"] else {
            guard let id else { throw .invalidRequest("A message has a method, or an id with a result or an error.") }
            self = .response(id: id, try Self.outcome(members))
            return
        }
        guard let method = method.string, method.utf8.count <= 256 else {
            throw .invalidRequest("method must be a text of at most 256 bytes.")
        }
        let params = members["params"] ?? [:]
        guard let params = params.object else {
            throw .invalidRequest("params must be an object, not \(params.kind).")
        }
        self =
            id.map { .request(JSONRPCRequest(id: $0, method: method, params: params)) }
            ?? .notification(method: method, params: params)
    }

    private static func outcome(_ members: JSONObject) throws(JSONRPCError) -> Result<JSONObject, JSONRPCError> {
        if let result = members["result"]?.object { return .success(result) }
        guard let error = members["error"]?.object else {
            throw .invalidRequest("A response has an object as its result, or an error.")
        }
        return .failure(
            JSONRPCError(
                JSONRPCError.Code(rawValue: error["code"]?.integer.flatMap(Int.init) ?? -32603),
                error["message"]?.string ?? ""
            )
        )
    }
}

/// A request of JSON-RPC.
package struct JSONRPCRequest: Hashable, Sendable {
    package var id: JSONRPCID
    package var method: String
    package var params: JSONObject

    package init(id: JSONRPCID, method: String, params: JSONObject = [:]) {
        self.id = id
        self.method = method
        self.params = params
    }

    package var json: JSONValue {
        [
            "jsonrpc": "2.0", "id": self.id.json, "method": .string(self.method), "params": .object(self.params),
        ]
    }

    /// The successful response.
    package func response(_ result: JSONObject) -> JSONValue { self.response(.object(result)) }

    /// The successful response.
    package func response(_ result: JSONValue) -> JSONValue {
        ["jsonrpc": "2.0", "id": self.id.json, "result": result]
    }
}

/// The id of a request: a text or a whole number, which are not the same.
package enum JSONRPCID: Hashable, Sendable {
    case text(String)
    case number(Int64)

    package init(_ json: JSONValue) throws(JSONRPCError) {
        switch json {
        case .string(let text) where text.utf8.count <= 1_024: self = .text(text)
        case .integer(let number): self = .number(number)
        default: throw .invalidRequest("id must be a whole number, or a text of at most 1,024 bytes.")
        }
    }

    package var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .number(let number): .integer(number)
        }
    }
}
