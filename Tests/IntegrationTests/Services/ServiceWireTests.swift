@testable import DeclaredIntents
import Foundation
import IntentKit
import IntentLab
import Testing
import WireRules

@Suite("The OpenAPI document describes what is sent and read")
struct ServiceWireTests {
    /// Answers queries to vocabularies.
    private static let host = BareTurnHost { query in
        [
            VocabularyMatch(
                source: query.type == nil ? .global : .user,
                name: query.parameter ?? query.type?.rawValue ?? "",
                version: "1",
                index: query.type == nil ? 3 : 0,
                means: .synonym,
                identifier: query.type == nil ? nil : "w-7",
                phrase: "Legs \(query.words)"
            )
        ]
    }

    private static let parameters: JSONValue = [
        ["name": "workout", "type": "string", "vocabulary": "workoutActivityName", "pattern": "[A-Z].*"],
        ["name": "friends", "type": "person", "list": true, "vocabulary": "global"],
        ["name": "minutes", "type": "integer"],
    ]

    private static func context(device: RequestingDevice, group: String?) -> TurnContext {
        TurnContext(
            interactionID: "i1",
            groupIdentifier: group,
            user: RequestingUser(id: "anna"),
            device: device,
            locale: "de-AT",
            timeZone: "Europe/Vienna",
            now: Date(timeIntervalSince1970: 1_795_264_200.125),
            attempt: 1,
            script: nil,
            host: Self.host
        )
    }

    @Test("Every member of a request is described; values are sent with their vocabulary matches")
    func describesEveryMemberOfRequests() async throws {
        try await TestHTTPServer.run { _, request in
            let one = #"{"outcome":"notRequired"}"#
            return .init(
                body: request.path.hasSuffix("resolve")
                    ? #"{"parameters":{"workout":\#(one),"friends":\#(one),"minutes":\#(one)}}"#
                    : #"{"code":"success"}"#
            )
        } _: { server in
            let service: JSONObject = ["status": [:], "undo": ["within": "PT1H"]]
            let intent = try ServedIntent(server.url(), service, parameters: Self.parameters)
            let undo = try #require(intent.registration.undos["OrderLemonade"]?.call)
            let values: JSONObject = ["workout": "legs", "friends": ["Ann", "Bob"], "minutes": 20]
            let snapshot = IntentSnapshot(name: "OrderLemonade", parameters: values)
            for context in [
                Self.context(device: RequestingDevice(id: "d1", isLocked: false, appVersion: "7.1"), group: "g1"),
                Self.context(device: RequestingDevice(), group: nil),
            ] {
                _ = try await intent.resolve(values, open: ["workout", "friends", "minutes"], context)
                _ = try await intent.registration.confirm(snapshot, context)
                _ = try await intent.registration.handle(snapshot, context)
                _ = try await intent.registration.statusUpdate(snapshot, context)
                _ = try await undo(["code": "success", "details": ["number": 7]], snapshot, context)
            }
            #expect(server.requests.count == 10)
            for request in server.requests {
                let call = try #require(ServiceCall(rawValue: String(request.path.split(separator: "/").last ?? "")))
                let json = try JSONValue(parsing: request.body)
                let problem = call.request.problem(in: try #require(json.object), .written)
                #expect(problem == nil, "\(call): \(problem?.description ?? "")")
            }
            let asked = try JSONValue(parsing: try #require(server.requests.first).body)
            #expect(asked["device"] == ["id": "d1", "isLocked": false, "appVersion": "7.1"])
            #expect(asked["interaction"] == ["identifier": "i1", "groupIdentifier": "g1"])
            #expect(asked["user"] == ["id": "anna"] && asked["locale"] == "de-AT")
            #expect(asked["timeZone"] == "Europe/Vienna")
            #expect(asked["time"] == "2026-11-21T12:30:00.125Z")
            #expect(
                asked["intent"] == [
                    "name": "OrderLemonade",
                    "parameters": [
                        "workout": "legs", "minutes": 20,
                        "friends": [["spokenPhrase": "Ann"], ["spokenPhrase": "Bob"]],
                    ],
                ]
            )
            let global: JSONValue = ["source": "global", "means": "synonym", "index": 3, "phrase": "Legs Bob"]
            #expect(
                asked["vocabulary"]?.array?.first == [
                    "parameter": "workout", "words": "legs",
                    "matches": [
                        ["source": "user", "means": "synonym", "index": 0, "phrase": "Legs legs", "identifier": "w-7"],
                        ["source": "global", "means": "synonym", "index": 3, "phrase": "Legs legs"],
                    ],
                ]
            )
            #expect(asked["vocabulary"]?.array?.last == ["parameter": "friends", "words": "Bob", "matches": [global]])
            #expect(asked["vocabulary"]?.array?.count == 3)
        }
    }

    @Test("The document describes every call, and has a schema for each outcome")
    func documentDescribesEveryCallAndOutcome() throws {
        let document = OpenAPIDocument(version: "1").json
        #expect(document["openapi"] == "3.1.0")
        let schemas = try #require(document["components"]?["schemas"]?.object)
        for call in ServiceCall.allCases {
            let operation = document["paths"]?["/\(call.rawValue)"]?["post"]
            let keys = operation?["parameters"]?.array?.compactMap { $0["name"]?.string } ?? []
            #expect(keys == ([.handle, .lookup, .undo].contains(call) ? ["Idempotency-Key"] : []))
            #expect(schemas["\(call.rawValue).request"]?["required"]?.array?.contains("intent") == true)
            #expect(schemas["\(call.rawValue).answer"] != nil)
        }
        #expect(schemas["Outcome"]?["anyOf"]?.array?.count == ServiceCall.outcomes.count)
        for outcome in ServiceCall.outcomes {
            #expect(schemas[outcome.name]?["properties"]?["outcome"]?["enum"] == [.string(outcome.name)])
            #expect(schemas[outcome.name]?["description"] == .string(outcome.summary))
        }
        // Every reference resolves.
        let text = document.description
        for match in text.matches(of: /"#\/components\/schemas\/([A-Za-z.]+)"/) {
            #expect(schemas[String(match.1)] != nil, "\(match.1)")
        }
    }
}
