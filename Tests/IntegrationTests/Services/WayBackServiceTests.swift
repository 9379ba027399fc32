@testable import DeclaredIntents
import IntentKit
import IntentLab
import Testing
import WireRules

@Suite("R72: a service goes back to a question")
struct WayBackServiceTests {
    @Test("Declined values are sent to resolve, also where a required value is missing", arguments: [true, false])
    func declinedValuesReachService(isDeclined: Bool) async throws {
        let parameters: JSONValue = [["name": "flavour", "type": "string", "required": true]]
        try await TestHTTPServer.run { _, _ in
            .init(body: #"{"parameters":{"flavour":{"outcome":"disambiguation","options":["mint","plum"]}}}"#)
        } _: { server in
            let intent = try ServedIntent(server.url(), ["offersOthers": true], parameters: parameters)
            let context = BareTurnHost().context(declined: isDeclined ? ["flavour": ["lime", "lemon"]] : [:])
            let outcomes = try await intent.resolve([:], open: ["flavour"], context)
            guard isDeclined else {
                #expect(outcomes["flavour"] == .single(.needsValue))
                #expect(server.requests.isEmpty)
                return
            }
            #expect(outcomes["flavour"] == .single(.disambiguation(["mint", "plum"])))
            let asked = try JSONValue(parsing: try #require(server.requests.first).body)
            #expect(asked["declined"] == ["flavour": ["lime", "lemon"]])
            let problem = ServiceCall.resolve.request.problem(in: try #require(asked.object), .written)
            #expect(problem == nil)
        }
    }

    @Test(
        "A service without offersOthers is not asked for a missing required value, as in earlier versions"
    )
    func serviceOfEarlierVersionIsNotAsked() async throws {
        let parameters: JSONValue = [["name": "flavour", "type": "string", "required": true]]
        try await TestHTTPServer.run { _, _ in
            .init(status: 400)
        } _: { server in
            let intent = try ServedIntent(server.url(), parameters: parameters)
            let context = BareTurnHost().context(declined: ["flavour": ["lime"]])
            #expect(try await intent.resolve([:], open: ["flavour"], context) == ["flavour": .single(.needsValue)])
            #expect(server.requests.isEmpty)
        }
    }

    @Test("A required value of which an offer was declined is not left out")
    func requiredValueIsNotLeftOut() async throws {
        let parameters: JSONValue = [["name": "flavour", "type": "string", "required": true]]
        try await TestHTTPServer.run { _, _ in
            .init(body: #"{"parameters":{"flavour":{"outcome":"notRequired"}}}"#)
        } _: { server in
            let intent = try ServedIntent(server.url(), ["offersOthers": true], parameters: parameters)
            let context = BareTurnHost().context(declined: ["flavour": ["lime"]])
            let outcomes = try await intent.resolve([:], open: ["flavour"], context)
            #expect(outcomes["flavour"] == .single(.needsValue))
        }
    }

    @Test("endingOfResolve: a service ends the interaction with a declared code, alone or in a list")
    func endingOfResolve() async throws {
        let ending =
            #"{"outcome":"ending","code":"failureSoldOut","dialog":"All gone.","userActivity":{"title":"Shop"}}"#
        try await TestHTTPServer.run { _, _ in
            .init(
                body: #"{"parameters":{"flavour":\#(ending),"toppings":[{"outcome":"needsValue"},\#(ending)],"#
                    + #""cups":{"outcome":"notRequired"}}}"#
            )
        } _: { server in
            let intent = try ServedIntent(server.url(), ["codes": ["failureSoldOut"]])
            let outcomes = try await intent.resolve(["flavour": "lime", "toppings": ["ice", "mint"]])
            var response = HandlerResponse(code: "failureSoldOut", userActivity: UserActivity(title: "Shop"))
            response.dialog = "All gone."
            #expect(outcomes["flavour"] == .single(.ending(ResolutionEnding(response))))
            #expect(outcomes["toppings"] == .perValue([.needsValue, .ending(ResolutionEnding(response))]))
            let asked = try JSONValue(parsing: try #require(server.requests.first).body)
            #expect(asked["accepts"]?.array?.contains("ending") == true)
        }
    }

    @Test(
        "A service ends with a failure or continueInApp that the definition lists",
        arguments: ["success", "ready", "failureUnknown"]
    )
    func otherEndingsAreErrors(code: String) async throws {
        try await TestHTTPServer.run { _, _ in
            .init(body: #"{"parameters":{"flavour":{"outcome":"ending","code":"\#(code)"}}}"#)
        } _: { server in
            let parameters: JSONValue = [["name": "flavour", "type": "string"]]
            let intent = try ServedIntent(server.url(), ["codes": ["failureSoldOut"]], parameters: parameters)
            let failure = await ServedIntent.failure { _ = try await intent.resolve([:], open: ["flavour"]) }
            #expect(
                failure?.text
                    .contains(
                        "parameters.flavour.code is \(code), with which a resolver does not end; it ends with one of "
                            + "failure, failureRequiringAppLaunch, failureSoldOut"
                    ) == true
            )
        }
    }

    private static func confirm(_ ask: String) async throws -> Result<HandlerResponse, any Error> {
        var result: Result<HandlerResponse, any Error>?
        try await TestHTTPServer.run { _, _ in
            .init(body: #"{"code":"failure","ask":\#(ask)}"#)
        } _: { server in
            let intent = try ServedIntent(server.url())
            let values: JSONObject = ["flavour": "lime", "toppings": ["ice", "mint"], "cups": 2]
            let snapshot = IntentSnapshot(name: "OrderLemonade", parameters: values)
            do {
                result = .success(try await intent.registration.confirm(snapshot, BareTurnHost().context()))
            } catch {
                result = .failure(error)
            }
            let asked = try JSONValue(parsing: try #require(server.requests.first).body)
            #expect(asked["accepts"] == ["ask"])
        }
        return try #require(result)
    }

    @Test("askOfConfirm: a service asks back about a parameter, or about a value of a list")
    func askOfConfirm() async throws {
        let choice = #"{"parameter":"flavour","outcome":"disambiguation","options":["mint","plum"],"dialog":"Which?"}"#
        #expect(
            try await Self.confirm(choice).get().question
                == HandlerQuestion(
                    parameter: "flavour",
                    outcome: .saying("Which?", .disambiguation(["mint", "plum"]))
                )
        )
        let value = #"{"parameter":"toppings","at":1,"outcome":"unsupported","reason":"soldOut"}"#
        let reason = ReasonDescription(code: 10, name: "soldOut")
        #expect(
            try await Self.confirm(value).get().question
                == HandlerQuestion(parameter: "toppings", index: 1, outcome: .unsupported(reason))
        )
        #expect(try await Self.confirm("null").get().question == nil)
    }

    @Test(
        "An invalid question is an error that names the path and the reason",
        arguments: [
            (#"{"parameter":"sugar","outcome":"needsValue"}"#, "ask.parameter is sugar, which the intent does"),
            (#"{"parameter":"toppings","at":2,"outcome":"needsValue"}"#, "ask.at is 2, but toppings has 2 values"),
            (#"{"parameter":"flavour","at":0,"outcome":"needsValue"}"#, "ask.at is 0, but flavour has 0 values"),
            (#"{"parameter":"cups","outcome":"confirmationRequired","value":99}"#, "ask.value breaks the definition's"),
            (#"{"parameter":"cups","outcome":"disambiguation"}"#, "ask.options is missing"),
            (#"{"parameter":"cups","outcome":"success","value":1}"#, "ask.outcome must be"),
        ]
    )
    func invalidQuestions(ask: String, problem: String) async throws {
        let result = try await Self.confirm(ask)
        guard case .failure(let error) = result else {
            Issue.record("it is accepted")
            return
        }
        #expect("\(error)".contains(problem), "\(error)")
    }

    @Test("askOfHandle: a service asks back in handle as in confirm")
    func askOfHandle() async throws {
        try await TestHTTPServer.run { _, _ in
            .init(body: #"{"code":"failure","ask":{"parameter":"flavour","outcome":"needsValue"}}"#)
        } _: { server in
            let intent = try ServedIntent(server.url())
            let snapshot = IntentSnapshot(name: "OrderLemonade", parameters: ["flavour": "lime"])
            let response = try await intent.registration.handle(snapshot, BareTurnHost().context())
            #expect(response.question == HandlerQuestion(parameter: "flavour", outcome: .needsValue))
            let asked = try JSONValue(parsing: try #require(server.requests.first).body)
            #expect(asked["accepts"] == ["ask", "cancel", "notify", "start"])
        }
    }
}
