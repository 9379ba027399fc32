internal import Foundation
internal import IntentKit
internal import LocalHTTP

/// The headers that repeat parts of a message for proxies (2026-07-28); they have to agree with the message.
struct MCPHeaders {
    private let headers: HTTPServerHeaders

    init(_ headers: HTTPServerHeaders) { self.headers = headers }

    /// - Throws: ``JSONRPCError`` `-32020` for a header that is missing, occurs twice, or says something else.
    func check(_ request: JSONRPCRequest, version: String) throws(JSONRPCError) {
        try self.check("MCP-Protocol-Version", version)
        try self.check("Mcp-Method", request.method)
        let name: String?
        switch request.method {
        case "tools/call": name = request.params["name"]?.string
        case "tasks/get", "tasks/update", "tasks/cancel": name = request.params["taskId"]?.string
        default: name = nil
        }
        if let name { try self.check("Mcp-Name", name) }
    }

    private func check(_ header: String, _ expected: String) throws(JSONRPCError) {
        let values = self.headers.all(header)
        guard values.count == 1, Self.decoded(values[0]) == expected else {
            throw JSONRPCError(
                JSONRPCError.Code(rawValue: -32020),
                "Header mismatch: \(header) must be there once, with the value of the message."
            )
        }
    }

    /// A value, which may be in Base64 as `=?base64?…?=`; nil for what is no Base64 of UTF-8.
    static func decoded(_ value: String) -> String? {
        guard value.hasPrefix("=?base64?"), value.hasSuffix("?="), value.utf8.count >= 11 else { return value }
        let text = String(value.dropFirst(9).dropLast(2))
        guard let data = Data(base64Encoded: text), data.base64EncodedString() == text else { return nil }
        return String(validating: data, as: UTF8.self)
    }
}
