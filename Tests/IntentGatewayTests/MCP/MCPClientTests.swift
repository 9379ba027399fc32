import IntentEvents
import IntentKit
import Testing

@testable import IntentGateway

@Suite("R86: what a client of MCP declares")
struct MCPClientTests {
    private let nonce = [UInt8](repeating: 7, count: 16)

    @Test("A session's id holds what the client has declared, for every replica")
    func describesSession() {
        let capabilities: JSONValue = ["elicitation": ["form": [:], "url": [:]]]
        for revision in MCPClient.Revision.allCases where revision.hasSessions {
            let client = MCPClient(revision: revision, capabilities: capabilities)
            #expect(MCPClient(sessionID: client.makeSessionID(nonce: self.nonce)) == client)
        }
    }

    @Test(
        "What is no session's id is none",
        arguments: [
            "", "2025-11-25", "2025-11-25~f~", "2026-07-28~f~07070707070707070707070707070707",
            "2025-11-25~x~07070707070707070707070707070707", "2025-11-25~f~0707070707070707070707070707070G",
            "2025-11-25~f~07070707070707070707070707070707~", String(repeating: "a", count: 4_000),
        ]
    )
    func refusesOtherIDs(text: String) { #expect(MCPClient(sessionID: text) == nil) }

    @Test("Elicitation without a mode is forms; pages are newer than forms")
    func readsCapabilities() {
        #expect(MCPClient(revision: .v20250618, capabilities: ["elicitation": [:]]).hasForms)
        #expect(!MCPClient(revision: .v20250326, capabilities: ["elicitation": [:]]).hasForms)
        let pages = MCPClient(revision: .v20251125, capabilities: ["elicitation": ["url": [:]]])
        #expect(pages.hasPages && !pages.hasForms)
        #expect(!MCPClient(revision: .v20250618, capabilities: ["elicitation": ["url": [:]]]).hasPages)
        #expect(!MCPClient(revision: .v20260728, capabilities: [:]).hasForms)
        let tasks: JSONValue = ["extensions": ["io.modelcontextprotocol/tasks": [:]]]
        #expect(MCPClient(revision: .v20260728, capabilities: tasks).hasTasks)
        #expect(!MCPClient(revision: .v20251125, capabilities: tasks).hasTasks)
    }

    @Test("A stateless request declares a supported revision and its capabilities")
    func checksDeclaration() throws {
        func client(_ version: JSONValue?, _ capabilities: JSONValue?) throws(JSONRPCError) -> MCPClient? {
            var meta: JSONObject = [:]
            meta["io.modelcontextprotocol/protocolVersion"] = version
            meta["io.modelcontextprotocol/clientCapabilities"] = capabilities
            return try MCPServer.client(of: ["_meta": .object(meta)])
        }
        #expect(try client("2026-07-28", [:])?.revision == .v20260728)
        #expect(try client(nil, [:]) == nil)
        let missing = #expect(throws: JSONRPCError.self) { try client("2026-07-28", nil) }
        #expect(missing?.code == .invalidParams)
        let unknown = #expect(throws: JSONRPCError.self) { try client("1900-01-01", [:]) }
        #expect(unknown?.code.rawValue == -32022)
        #expect(unknown?.data?["supported"]?.array?.first == "2026-07-28")
    }

    @Test("initialize agrees on the revision that was asked for, or the newest with sessions")
    func negotiates() {
        #expect(MCPServer.initialize(["protocolVersion": "2025-06-18"]).client.revision == .v20250618)
        #expect(MCPServer.initialize(["protocolVersion": "2026-07-28"]).client.revision == .v20251125)
        #expect(MCPServer.initialize([:]).result["protocolVersion"] == "2025-11-25")
    }

    @Test("An event's id names the place in a call, whatever the ids contain")
    func describesPosition() throws {
        let position = MCPStreamPosition(
            interaction: "a/b#é\n",
            request: .text("7"),
            elicited: "a/b#é\n/r/1#2",
            progressToken: 4
        )
        #expect(MCPStreamPosition(position.text) == position)
        #expect(!position.text.contains("\n"))
        #expect(MCPStreamPosition("nonsense") == nil)
        #expect(MCPStreamPosition(String(repeating: "A", count: 10_000)) == nil)
    }

    @Test("A question that is asked again has another id for the same prompt")
    func numbersRepetitions() {
        #expect(MCPStreamPosition.next("a#1/r/1") == "a#1/r/1#2")
        #expect(MCPStreamPosition.next("a#1/r/1#2") == "a#1/r/1#3")
        #expect(MCPStreamPosition.prompt(of: "a#1/r/1#3") == "a#1/r/1")
        #expect(MCPStreamPosition.prompt(of: "a#1/r/1") == "a#1/r/1")
        #expect(MCPStreamPosition.interaction(of: "a#1/r/1") == "a#1")
    }

    @Test("Headers may be in Base64, and have to agree with the message")
    func checksHeaders() {
        #expect(MCPHeaders.decoded("tools/call") == "tools/call")
        #expect(MCPHeaders.decoded("=?base64?w6k=?=") == "é")
        #expect(MCPHeaders.decoded("=?base64?w6l=?=") == nil)
        #expect(MCPHeaders.decoded("=?base64?!?=") == nil)
    }

    @Test("Each intent is a tool, and one continues any call")
    func listsTools() throws {
        let registry = try IntentRegistry(declaring: [
            ["name": "Pay", "financial": true], ["name": "Look", "readOnly": true], ["name": "answer"],
        ])
        let tools = MCPTools(registry: registry)
        let listed = tools.list(locale: "en")
        #expect(listed.map { $0["name"] } == ["Look", "Pay", "answer"])
        #expect(listed[0]["annotations"]?["readOnlyHint"] == true)
        #expect(listed[1]["annotations"]?["destructiveHint"] == true)
        #expect(listed[1]["annotations"]?["idempotentHint"] == false)
        #expect(tools.intent("answer", locale: "en") == nil)
    }
}
