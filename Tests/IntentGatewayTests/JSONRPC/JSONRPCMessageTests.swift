import IntentKit
import Testing

@testable import IntentGateway

@Suite("Messages of JSON-RPC")
struct JSONRPCMessageTests {
    private func message(_ text: String) throws(JSONRPCError) -> JSONRPCMessage {
        try JSONRPCMessage(parsing: Array(text.utf8))
    }

    @Test("Requests, notifications and responses are distinguished by method and id")
    func distinguishesMessages() throws {
        #expect(
            try self.message(#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#)
                == .request(JSONRPCRequest(id: .number(7), method: "tools/list"))
        )
        #expect(
            try self.message(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"7"}}"#)
                == .notification(method: "notifications/cancelled", params: ["requestId": "7"])
        )
        #expect(
            try self.message(#"{"jsonrpc":"2.0","id":"a/r/1","result":{"action":"decline"}}"#)
                == .response(id: .text("a/r/1"), .success(["action": "decline"]))
        )
        #expect(
            try self.message(#"{"jsonrpc":"2.0","id":"a/r/1","error":{"code":-32600,"message":"no"}}"#)
                == .response(id: .text("a/r/1"), .failure(.invalidRequest("no")))
        )
    }

    @Test(
        "What is no single message is refused",
        arguments: [
            ("{", -32700), ("", -32700), ("[]", -32600), (#"[{"jsonrpc":"2.0","id":1,"method":"a"}]"#, -32600),
            ("1", -32600), (#"{"id":1,"method":"a"}"#, -32600), (#"{"jsonrpc":"2.0","id":null,"method":"a"}"#, -32600),
            (#"{"jsonrpc":"2.0","id":1.5,"method":"a"}"#, -32600), (#"{"jsonrpc":"2.0","id":1,"method":2}"#, -32600),
            (#"{"jsonrpc":"2.0","id":1,"method":"a","params":[]}"#, -32600), (#"{"jsonrpc":"2.0"}"#, -32600),
            (#"{"jsonrpc":"2.0","id":1,"result":4}"#, -32600),
            (String(repeating: "[", count: 5_000) + String(repeating: "]", count: 5_000), -32700),
        ]
    )
    func refusesOtherTexts(text: String, code: Int) {
        let error = #expect(throws: JSONRPCError.self) { try self.message(text) }
        #expect(error?.code.rawValue == code)
    }

    @Test("A message has a largest size")
    func boundsSize() {
        let text = #"{"jsonrpc":"2.0","id":1,"method":"a","params":{"a":""# + String(repeating: "a", count: 1 << 20)
        let error = #expect(throws: JSONRPCError.self) { try self.message(text + #""}}"#) }
        #expect(error?.code == .invalidRequest)
    }

    @Test("An error names the request, or null where it could not be read")
    func writesErrors() {
        let error = JSONRPCError.invalidParams("wrong")
        #expect(error.response(to: .text("a"))["id"] == "a")
        #expect(error.response(to: nil)["id"] == .null)
        #expect(error.response(to: nil)["error"]?["code"] == -32602)
    }
}
