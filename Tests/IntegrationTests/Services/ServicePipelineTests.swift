@testable import DeclaredIntents
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import IntentScenarios
@testable import SampleApps
import Synchronization
import Testing

@Suite("R61: a service in the pipeline")
struct ServicePipelineTests {
    /// A shop with two kinds of lemonade whose names begin alike.
    private static func answer(_ request: TestHTTPServer.Request) throws -> JSONValue {
        let asked = try JSONValue(parsing: request.body)
        let said = asked["intent"]?["parameters"]
        switch request.path.split(separator: "/").last {
        case "resolve":
            let flavours = ["lime", "limette"].filter { $0.hasPrefix(said?["flavour"]?.string ?? "") }
            let flavour: JSONValue =
                flavours.count == 1 || said?["flavour"] == "lime"
                ? ["outcome": "success", "value": .string(flavours[0])]
                : ["outcome": "disambiguation", "options": .array(flavours.map(JSONValue.string))]
            let toppings = (said?["toppings"]?.array ?? [])
                .map { topping -> JSONValue in
                    topping == "mint"
                        ? ["outcome": "confirmationRequired", "value": topping, "reason": "soldOut"]
                        : ["outcome": "success", "value": topping]
                }
            let cups: JSONValue =
                said?["cups"].map { ["outcome": "success", "value": $0] } ?? ["outcome": "needsValue"]
            let list: JSONValue = toppings.isEmpty ? ["outcome": "notRequired"] : .array(toppings)
            return ["parameters": ["flavour": flavour, "toppings": list, "cups": cups]]
        case "confirm": return ["code": "ready", "details": ["price": 3], "requiresUserConfirmation": true]
        default: return ["code": "success", "details": ["order": "o-7"]]
        }
    }

    private static func path(_ request: TestHTTPServer.Request) -> String {
        String(request.path.split(separator: "/").last ?? "")
    }

    private static var scenario: Scenario {
        let values: JSONObject = ["flavour": "lim", "toppings": ["ice", "mint"]]
        var scenario = Scenario(
            name: "order",
            userID: "anna",
            intent: IntentSnapshot(name: "OrderLemonade", parameters: values)
        )
        scenario.choices = ["flavour": .text("limette")]
        scenario.answers = ["toppings": true, "cups": 2]
        scenario.confirmations = [ScenarioConfirmation(.accept)]
        scenario.expect.code = .named("success")
        scenario.expect.prompts = [
            "disambiguation:flavour", "confirmationRequired:toppings", "needsValue:cups", "intentConfirmation",
        ]
        scenario.expect.parameters = ["flavour": "limette", "toppings": ["ice", "mint"], "cups": 2]
        return scenario
    }

    @Test("A conversation makes one call a turn, and replays to the same bytes without calling the service")
    func conversationCallsOncePerTurnAndReplays() async throws {
        try await TestHTTPServer.run { _, request in
            .init(body: (try? Self.answer(request).description) ?? "")
        } _: { server in
            var parameters = try #require(ServedIntent.parameters.array)
            // The queries to vocabularies are journaled, too.
            parameters[0] = ["name": "flavour", "type": "string", "vocabulary": "contactName"]
            let registration = try ServedIntent(server.url(), parameters: .array(parameters)).registration
            let extensions = [IntentExtension("Tests") { registration }]
            try await Pipeline.run(on: .memory, .init(extensions: extensions, partitions: 1)) { pipeline in
                let result = await ScenarioPlayer(pipeline.client, .init(runID: "test")).play(Self.scenario)
                #expect(result.outcome == .matched)
                // Four turns that resolve, the last of which resolves everything; confirm before the yes and after it.
                let paths = server.requests.map(Self.path)
                #expect(paths == ["resolve", "resolve", "resolve", "resolve", "confirm", "confirm", "handle"])
                let open = try server.requests.prefix(4).map { try JSONValue(parsing: $0.body)["open"] }
                #expect(open.first == ["flavour", "toppings", "cups"] && open.last == ["cups"])
                let results = try await pipeline.replayAll(extensions)
                #expect(results.count >= 7)
                // The journal has the answer unchanged: sensitive values are masked there by their names.
                let read = try #require(results.compactMap(\.record).flatMap(\.reads).first { $0.kind == .run })
                #expect(read.name == "service.resolve")
                guard case .value(let answer) = read.result else { return #expect(Bool(false), "\(read)") }
                #expect(answer == (try Self.answer(try #require(server.requests.first))))
                #expect(results.allSatisfy { $0.isMatch && $0.unrecordedReads.isEmpty })
                #expect(server.requests.count == paths.count)
            }
        }
    }

    @Test("R32: a slow answer delays nobody else: the user is told, and others are served meanwhile")
    func slowAnswerDelaysNobodyElse() async throws {
        let gate = Gate()
        defer { gate.open() }
        try await TestHTTPServer.run { _, request in
            let isSlow = Self.path(request) == "handle" && request.body.contains("anna")
            return .init(body: (try? Self.answer(request).description) ?? "", gate: isSlow ? gate : nil)
        } _: { server in
            let service: JSONObject = ["timeout": "PT2M"]
            let registration = try ServedIntent(server.url(), service, confirmation: "never").registration
            let extensions = [IntentExtension("Tests") { registration }]
            var settings = RuntimeSettings()
            settings.inProgressAfter = .milliseconds(150)
            let configuration = Pipeline.Configuration(extensions: extensions, partitions: 1, settings: settings)
            try await Pipeline.run(on: .memory, configuration) { pipeline in
                let intent = IntentSnapshot(name: "OrderLemonade", parameters: ["flavour": "lime", "cups": 1])
                let conversation = pipeline.client.open(id: "lemonade", userID: "anna")
                defer { conversation.close() }
                let data: JSONValue = ["intent": intent.json, "user": ["id": "anna"]]
                try await conversation.send([conversation.makeEvent("intent.requested", data: data)])
                #expect(try await conversation.next().data["status"] == "inProgress")
                var scenario = Scenario(name: "of bert", userID: "bert", intent: intent)
                scenario.expect.code = .named("success")
                let result = await ScenarioPlayer(pipeline.client, .init(runID: "test")).play(scenario)
                #expect(result.outcome == .matched)
                gate.open()
                let told = try await conversation.next()
                #expect(told.data["code"] == "success")
                let replayed = try await pipeline.replayAll(extensions)
                #expect(replayed.allSatisfy { $0.isMatch })
            }
        }
    }

    @Test("R35: every call is retried, and handle keeps its key", arguments: ServiceCall.allCases.prefix(3))
    func retriesEveryCallUnderOneKey(call: ServiceCall) async throws {
        try await TestHTTPServer.run { number, request in
            let isFirst = Self.path(request) == call.rawValue && request.headers["x-try"] == nil
            return isFirst && number == ServiceCall.allCases.firstIndex(of: call)
                ? .init(status: 503) : .init(body: (try? Self.answer(request).description) ?? "")
        } _: { server in
            let registration = try ServedIntent(server.url(), confirmation: "never").registration
            let extensions = [IntentExtension("Tests") { registration }]
            try await Pipeline.run(on: .memory, .init(extensions: extensions, partitions: 1)) { pipeline in
                let values: JSONObject = ["flavour": "lime", "cups": 1]
                let intent = IntentSnapshot(name: "OrderLemonade", parameters: values)
                var scenario = Scenario(name: "order", userID: "anna", intent: intent)
                scenario.expect.code = .named("success")
                let result = await ScenarioPlayer(pipeline.client, .init(runID: "test")).play(scenario)
                #expect(result.outcome == .matched)
                #expect(server.requests.count == 4)
                #expect(server.requests.filter { Self.path($0) == call.rawValue }.count == 2)
                let keys = server.requests.compactMap { $0.headers["idempotency-key"] }
                #expect(Set(keys).count == 1 && keys.count == (call == .handle ? 2 : 1))
                let replayed = try await pipeline.replayAll(extensions)
                #expect(replayed.allSatisfy { $0.isMatch })
            }
        }
    }

    @Test("An unusable answer ends the interaction with error, and its event becomes a dead letter")
    func unusableAnswerEndsWithError() async throws {
        try await TestHTTPServer.run { _, request in
            .init(body: Self.path(request) == "handle" ? "done!" : (try? Self.answer(request).description) ?? "")
        } _: { server in
            let registration = try ServedIntent(server.url(), confirmation: "never").registration
            let extensions = [IntentExtension("Tests") { registration }]
            try await Pipeline.run(on: .memory, .init(extensions: extensions, partitions: 1)) { pipeline in
                let values: JSONObject = ["flavour": "lime", "cups": 1]
                let intent = IntentSnapshot(name: "OrderLemonade", parameters: values)
                var scenario = Scenario(name: "order", userID: "anna", intent: intent)
                scenario.expect.code = .named("failure")
                scenario.expect.endReason = "error"
                let result = await ScenarioPlayer(pipeline.client, .init(runID: "test")).play(scenario)
                #expect(result.outcome == .matched)
                #expect(server.requests.count == 3)
                let replayed = try await pipeline.replayAll(extensions)
                #expect(replayed.allSatisfy { $0.isMatch })
            }
        }
    }

    @Test("The service reports status until it marks one as the last")
    func pollsStatusUntilLast() async throws {
        let looks = Atomic(0)
        try await TestHTTPServer.run { _, request in
            guard Self.path(request) == "status" else {
                return .init(body: (try? Self.answer(request).description) ?? "")
            }
            let look = looks.add(1, ordering: .relaxed).newValue
            // Told once though it is asked twice: the second look brings nothing new.
            let minutes = [9, 9, 4, 0][min(look, 4) - 1]
            return .init(body: #"{"details":{"minutes":\#(minutes)},"isLast":\#(minutes == 0)}"#)
        } _: { server in
            let more: JSONObject = ["status": ["every": "PT0.1S", "for": "PT1H"]]
            let registration = try ServedIntent(server.url(), more, confirmation: "never").registration
            let extensions = [IntentExtension("Tests") { registration }]
            try await Pipeline.run(on: .memory, .init(extensions: extensions, partitions: 1)) { pipeline in
                let conversation = pipeline.client.open(id: "lemonade", userID: "anna")
                defer { conversation.close() }
                let data: JSONValue = [
                    "intent": ["name": "OrderLemonade", "parameters": ["flavour": "lime", "cups": 1]],
                    "user": ["id": "anna"],
                ]
                try await conversation.send([conversation.makeEvent("intent.requested", data: data)])
                #expect(try await conversation.next().data["code"] == "success")
                var told: [JSONValue?] = []
                while told.last != .some(0) {
                    let update = try await conversation.next()
                    try #require(update.type == "status.updated")
                    told.append(update.data["response"]?["minutes"])
                }
                #expect(told == [9, 4, 0])
                let replayed = try await pipeline.replayAll(extensions)
                #expect(replayed.allSatisfy { $0.isMatch })
                #expect(looks.load(ordering: .relaxed) == 4)
                #expect(
                    server.requests.allSatisfy { Self.path($0) == "handle" || $0.headers["idempotency-key"] == nil }
                )
            }
        }
    }
}
