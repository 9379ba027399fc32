@testable import DeclaredIntents
import Foundation
import IntentKit
import IntentLab
import IntentTesting
import Synchronization
import Testing

@Suite("R61g: a service undoes what it has done", .timeLimit(.minutes(1)))
struct UndoServiceTests {
    private static func path(_ request: TestHTTPServer.Request) -> String {
        String(request.path.split(separator: "/").last ?? "")
    }

    /// The service's intent, which neither resolves nor confirms.
    private static func lemonade(_ url: String) throws -> IntentExtension {
        let service: JSONObject = ["calls": ["handle"], "undo": ["within": "PT1H"]]
        let registration = try ServedIntent(url, service, confirmation: "never").registration
        return IntentExtension("Tests") { registration }
    }

    @Test("An order is undone when its user asks for it: the service gets its own answer, and a new key")
    func orderIsUndone() async throws {
        try await TestHTTPServer.run { _, request in
            .init(
                body: Self.path(request) == "handle"
                    ? #"{"code":"success","details":{"number":17}}"# : #"{"code":"success"}"#
            )
        } _: { server in
            try await TestDeployment.with(try Self.lemonade(server.url())) { lemonade in
                let ordered = try await lemonade.ask("OrderLemonade", ["flavour": "lime"]).response()
                #expect(ordered.effects == ["OrderLemonade"] && ordered.data["undo"] != nil)
                let undo = try await lemonade.ask("UndoInteraction")
                _ = try await undo.prompt(.intentConfirmation)
                try await undo.accept()
                let response = try await undo.response()
                #expect(response.code == "success" && response.undone == ["OrderLemonade"])
                let request = try #require(server.requests.last { Self.path($0) == "undo" })
                let body = try JSONValue(parsing: request.body)
                #expect(body["result"] == ["code": "success", "details": ["number": 17]])
                #expect(body["intent"]?["parameters"] == ["flavour": "lime"])
                let keys = server.requests.map { $0.headers["idempotency-key"] ?? "" }
                #expect(Set(keys).count == 2 && !keys.contains(""))
                try await lemonade.replay()
            }
        }
    }

    @Test("A refusal ends with the words of the service; an answer that is neither success nor refusal is an error")
    func refusal() async throws {
        let answers = Mutex([
            #"{"code":"failureUndoRefused","dialog":"It is drunk."}"#, #"{"code":"perhaps"}"#,
        ])
        try await TestHTTPServer.run { _, request in
            guard Self.path(request) == "undo" else { return .init(body: #"{"code":"success"}"#) }
            return .init(body: answers.withLock { $0.isEmpty ? "{}" : $0.removeFirst() })
        } _: { server in
            try await TestDeployment.with(try Self.lemonade(server.url())) { lemonade in
                try await lemonade.ask("OrderLemonade", ["flavour": "lime"]).response()
                for expected in ["failureUndoRefused", "failure"] {
                    let undo = try await lemonade.ask("UndoInteraction")
                    _ = try await undo.prompt(.intentConfirmation)
                    try await undo.accept()
                    let response = try await undo.response()
                    #expect(response.code == expected && response.undone.isEmpty)
                    if expected == "failureUndoRefused" { #expect(response.data["dialog"] == "It is drunk.") }
                }
            }
        }
    }

    @Test("A failure of the service and a question are not effects")
    func failureIsNoEffect() async throws {
        try await TestHTTPServer.run { _, _ in
            .init(body: #"{"code":"failure"}"#)
        } _: { server in
            try await TestDeployment.with(try Self.lemonade(server.url())) { lemonade in
                let response = try await lemonade.ask("OrderLemonade", ["flavour": "lime"]).response()
                #expect(response.endReason == "failed" && response.effects.isEmpty && response.undone.isEmpty)
                #expect(server.requests.map(Self.path) == ["handle"])
            }
        }
    }

    @Test("In a definition, undo is configured beside the calls")
    func definition() throws {
        func problems(_ service: JSONObject) -> String {
            var service = service
            service["url"] = "http://127.0.0.1:1"
            let file = DefinitionFile(["name": "A", "parameters": [], "handler": ["service": .object(service)]])
            return file.problems.map { "\($0)" }.joined(separator: "; ")
        }
        #expect(problems(["undo": ["within": "PT1H"]]).isEmpty && problems(["undo": [:]]).isEmpty)
        #expect(problems(["calls": ["handle", "undo"]]).contains("undo is configured with undo: {within: PT1H}"))
        #expect(problems(["undo": ["within": "P31D"]]).contains("from a second to 30 days"))
        #expect(problems(["undo": ["until": "P1D"]]).contains("until"))
    }
}
