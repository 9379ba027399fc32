@testable import DeclaredIntents
import IntentKit
import IntentLab
import Testing

@Suite("R61: a service resolves parameters")
struct ServiceResolveTests {
    /// An answer with these outcomes of `flavour` and `toppings`; `cups` is not required.
    private static func answer(
        flavour: String = #"{"outcome":"notRequired"}"#,
        toppings: String = #"{"outcome":"notRequired"}"#
    )
        -> TestHTTPServer.Response
    {
        .init(
            body: #"{"parameters":{"flavour":\#(flavour),"toppings":\#(toppings),"cups":{"outcome":"notRequired"},"#
                + #""more":1},"more":2}"#
        )
    }

    private static func run(
        _ response: TestHTTPServer.Response,
        _ body: (ServedIntent) async throws -> Void
    ) async throws {
        try await TestHTTPServer.run { _, _ in
            response
        } _: { server in
            try await body(try ServedIntent(server.url()))
        }
    }

    @Test(
        "Each of the six outcomes of a single value is the handler's own",
        arguments: [
            (#"{"outcome":"success","value":"lime"}"#, .success("lime")),
            (#"{"outcome":"notRequired","more":[1]}"#, .notRequired),
            (#"{"outcome":"needsValue"}"#, .needsValue),
            (#"{"outcome":"disambiguation","options":["lime","lemon"]}"#, .disambiguation(["lime", "lemon"])),
            (#"{"outcome":"disambiguation","options":[]}"#, .disambiguation([])),
            (#"{"outcome":"confirmationRequired","value":"lime"}"#, .confirmationRequired("lime", nil)),
            (
                #"{"outcome":"confirmationRequired","value":"lime","reason":"soldOut"}"#,
                .confirmationRequired("lime", ReasonDescription(code: 10, name: "soldOut"))
            ),
            (#"{"outcome":"unsupported","reason":null}"#, .unsupported(nil)),
            (#"{"outcome":"needsValue","dialog":"Which one?"}"#, .saying("Which one?", .needsValue)),
            (
                #"{"outcome":"disambiguation","options":["lime","lemon"],"dialog":"Lime?"}"#,
                .saying("Lime?", .disambiguation(["lime", "lemon"]))
            ),
            (#"{"outcome":"notRequired","dialog":"Nothing is asked."}"#, .notRequired),
            (
                #"{"outcome":"unsupported","reason":"unheardOf"}"#,
                .unsupported(ReasonDescription(code: 11, name: "unheardOf"))
            ),
        ] as [(String, ResolutionOutcome)]
    )
    func readsSixOutcomesOfSingleValue(json: String, outcome: ResolutionOutcome) async throws {
        try await Self.run(Self.answer(flavour: json)) { intent in
            let outcomes = try await intent.resolve(["flavour": "li"])
            #expect(outcomes["flavour"] == .single(outcome))
            #expect(outcomes["cups"] == .single(.notRequired))
        }
    }

    private static let lime = DisplayRepresentation(
        title: "Lime",
        subtitle: "sour",
        image: .url("https://ice.example/lime.png"),
        synonyms: ["green one"]
    )

    private static let limeWithWords = #"""
        "value":"lime","title":"Lime","subtitle":"sour","image":"https://ice.example/lime.png","synonyms":["green one"]
        """#

    @Test(
        "R71: options may have words, and so may a value in question",
        arguments: [
            (
                #"{"outcome":"disambiguation","options":[{\#(Self.limeWithWords)},"lemon"]}"#,
                .disambiguation([ParameterOption("lime", display: Self.lime), "lemon"])
            ),
            (
                #"{"outcome":"disambiguation","options":[{"value":"lime","title":"Lime","subtitle":null},"lemon"]}"#,
                .disambiguation([ParameterOption("lime", display: "Lime"), "lemon"])
            ),
            (
                #"{"outcome":"confirmationRequired",\#(Self.limeWithWords),"reason":"soldOut"}"#,
                .confirmationRequired(
                    ParameterOption("lime", display: Self.lime),
                    ReasonDescription(code: 10, name: "soldOut")
                )
            ),
        ] as [(String, ResolutionOutcome)]
    )
    func serviceOptionsHaveWords(json: String, outcome: ResolutionOutcome) async throws {
        try await Self.run(Self.answer(flavour: json)) { intent in
            let outcomes = try await intent.resolve(["flavour": "li"])
            #expect(outcomes["flavour"] == .single(outcome))
        }
    }

    @Test("Options without words stay values")
    func plainOptionsStay() async throws {
        let json = #"{"outcome":"disambiguation","options":["lime","lemon"]}"#
        try await Self.run(Self.answer(flavour: json)) { intent in
            let outcome = try await intent.resolve(["flavour": "li"])["flavour"]
            #expect(outcome == .single(.choosing(among: ["lime", "lemon"])))
        }
    }

    @Test(
        "R71: words beyond their limits are errors with their path",
        arguments: [
            (#""title":"""#, "options.0.title must be a string that is not empty"),
            (#""title":"\#(String(repeating: "a", count: 1_025))""#, "options.0.title has a text of more than 1024"),
            (#""title":"A","image":"lime.png""#, "options.0.image must be an address that begins with https:"),
            (#""title":"A","synonyms":"green""#, "options.0.synonyms must be an array"),
            (
                #""title":"A","synonyms":[\#(Array(repeating: #""a""#, count: 21).joined(separator: ","))]"#,
                "options.0.synonyms has 21 texts; 20 at most are expected"
            ),
        ]
    )
    func reportsWordsBeyondLimits(words: String, text: String) async throws {
        let json = #"{"outcome":"disambiguation","options":[{"value":"lime",\#(words)},"lemon"]}"#
        try await Self.run(Self.answer(flavour: json)) { intent in
            let failure = try #require(await intent.failure(["flavour": "li"]))
            #expect(failure.text.contains("parameters.flavour.\(text)"), "\(failure.text)")
        }
    }

    @Test(
        "A list has one outcome for each value, or one for the whole list",
        arguments: [
            (
                #"[{"outcome":"success","value":"ice"},{"outcome":"disambiguation","options":["mint","myrtle"]}]"#,
                .perValue([.success("ice"), .disambiguation(["mint", "myrtle"])])
            ),
            (
                #"[{"outcome":"unsupported","reason":"soldOut"},{"outcome":"confirmationRequired","value":"mint"}]"#,
                .perValue([
                    .unsupported(ReasonDescription(code: 10, name: "soldOut")), .confirmationRequired("mint", nil),
                ])
            ),
            (#"[{"outcome":"needsValue"},{"outcome":"notRequired"}]"#, .perValue([.needsValue, .notRequired])),
            (#"{"outcome":"needsValue"}"#, .single(.needsValue)),
            (#"{"outcome":"notRequired"}"#, .single(.notRequired)),
            (#"{"outcome":"unsupported"}"#, .single(.unsupported(nil))),
            (#"{"outcome":"success","value":["ice"]}"#, .single(.success(["ice"]))),
        ] as [(String, ParameterOutcome)]
    )
    func readsOutcomesOfList(json: String, outcome: ParameterOutcome) async throws {
        try await Self.run(Self.answer(toppings: json)) { intent in
            let outcomes = try await intent.resolve(["toppings": ["ice", "m"]])
            #expect(outcomes["toppings"] == outcome)
        }
    }

    @Test(
        "An empty list has one outcome, which may be a guess",
        arguments: [
            (#"{"outcome":"success","value":["ice","mint"]}"#, .single(.success(["ice", "mint"]))),
            (#"{"outcome":"confirmationRequired","value":"ice"}"#, .perValue([.confirmationRequired("ice", nil)])),
            (#"[{"outcome":"disambiguation","options":["a","b"]}]"#, .perValue([.disambiguation(["a", "b"])])),
            (#"[{"outcome":"needsValue"}]"#, .single(.needsValue)),
        ] as [(String, ParameterOutcome)]
    )
    func emptyListHasOneOutcome(json: String, outcome: ParameterOutcome) async throws {
        try await Self.run(Self.answer(toppings: json)) { intent in
            let outcomes = try await intent.resolve([:])
            #expect(outcomes["toppings"] == outcome)
        }
    }

    @Test(
        "An invalid outcome is an error with its path and what would be valid",
        arguments: [
            (#"7"#, "parameters.flavour must be an object such as {\"outcome\": \"needsValue\"}, not an integer"),
            (
                #"{"outcome":"sucess","value":"lime"}"#,
                "parameters.flavour.outcome must be one of success, notRequired, needsValue, disambiguation, "
                    + "confirmationRequired, unsupported, ending, not \"sucess\""
            ),
            (#"{}"#, "ending, not missing"),
            (#"{"outcome":"success"}"#, "parameters.flavour.value is missing; it must be any JSON value"),
            (#"{"outcome":"success","value":7}"#, "parameters.flavour.value must be a string, not an integer"),
            (#"{"outcome":"success","value":""}"#, "parameters.flavour.value must be a string, not an empty string"),
            (#"{"outcome":"disambiguation"}"#, "parameters.flavour.options is missing; it must be an array"),
            (
                #"{"outcome":"disambiguation","options":["lime",3]}"#,
                "parameters.flavour.options.1 must be a string, not an integer"
            ),
            (#"{"outcome":"unsupported","reason":5}"#, "parameters.flavour.reason must be a string that is not empty"),
            (
                #"{"outcome":"unsupported","reason":"soldout"}"#,
                "parameters.flavour.reason is soldout, which is none of the reasons of flavour: it has soldOut, unheardOf"
            ),
        ]
    )
    func reportsInvalidOutcomeWithPath(json: String, text: String) async throws {
        try await TestHTTPServer.run { _, _ in
            Self.answer(flavour: json)
        } _: { server in
            let failure = try #require(
                try await ServedIntent(server.url("/a?key=secret")).failure(["flavour": "li"])
            )
            #expect(!failure.mayPass)
            #expect(failure.text.hasPrefix("POST \(server.url("/a/resolve")): in the answer parameters.flavour"))
            #expect(failure.text.contains(text), "\(failure.text)")
        }
    }

    @Test(
        "Invalid outcomes of a list are errors, too",
        arguments: [
            (#"[]"#, "parameters.toppings has 0 outcomes for 2 values; one for each is expected, in the same order"),
            (#"[{"outcome":"needsValue"}]"#, "has 1 outcomes for 2 values"),
            (
                #"[{"outcome":"success","value":"ice"},{"outcome":"success","value":1}]"#,
                "parameters.toppings.1.value must be a string, not an integer"
            ),
            (#"{"outcome":"success","value":["ice",null]}"#, "parameters.toppings.value.1 must be a string, not null"),
            (
                #"{"outcome":"disambiguation","options":["ice"]}"#,
                "parameters.toppings speaks for 2 values; an array is expected, with an outcome for each"
            ),
        ]
    )
    func reportsInvalidListOutcomes(json: String, text: String) async throws {
        try await Self.run(Self.answer(toppings: json)) { intent in
            let failure = try #require(await intent.failure(["toppings": ["ice", "mint"]]))
            #expect(failure.text.contains(text), "\(failure.text)")
        }
    }

    @Test("A service's values must follow the definition's rules, and secrets are not printed")
    func serviceKeepsDefinitionsRules() async throws {
        func failure(_ parameter: JSONObject, _ value: String) async throws -> String? {
            var parameter = parameter
            parameter["name"] = "p"
            var text: String?
            try await TestHTTPServer.run { _, _ in
                .init(body: #"{"parameters":{"p":{"outcome":"success","value":\#(value)}}}"#)
            } _: { server in
                let intent = try ServedIntent(server.url(), parameters: [.object(parameter)])
                text = await ServedIntent.failure { _ = try await intent.resolve([:], open: ["p"]) }?.text
            }
            return text
        }
        #expect(try await failure(["type": "integer", "maximum": 9], "12")?.contains("aboveMaximum") == true)
        #expect(
            try await failure(["type": "string", "pattern": "[0-9]+"], "\"x\"")?.contains("patternMismatch") == true
        )
        let listed = try await failure(["type": "string", "values": ["a", "b"]], "\"c\"")
        #expect(listed?.contains("parameters.p.value is none of the values that the definition lists for p") == true)
        let secret = try await failure(["type": "integer", "sensitive": true], "\"s3cret\"")
        #expect(secret?.contains("must be a integer, not a string") == true && secret?.contains("s3cret") == false)
        #expect(try await failure(["type": "integer", "any": "whatever"], "\"whatever\"") == nil)
    }

    @Test(
        "An answer that is invalid as a whole is an error that says why",
        arguments: [
            ("", "the answer is empty; an object such as"), ("[1]", "the answer is an array; an object such as"),
            (#"{"parameters":"#, "the answer breaks off"), (#"{"parameters":{"flavour":"lim"#, "the answer breaks off"),
            (#"{"parameters":{"a":{}}"#, "the answer breaks off"), ("{7}", "the answer is not JSON: "),
            ("<html>", "the answer is not JSON: "),
            ("{}", "in the answer parameters must be an object with an outcome for each parameter that is open"),
            (#"{"parameters":{"flavour":{"outcome":"needsValue"}}}"#, "parameters.toppings is missing; an outcome is"),
            ("{\"a\":" + String(repeating: "[", count: 64) + String(repeating: "]", count: 64) + "}", "nested"),
            ("\u{FEFF}{}", "the answer is not JSON: "),
        ]
    )
    func reportsInvalidAnswerAsAWhole(body: String, text: String) async throws {
        try await Self.run(.init(body: body)) { intent in
            let failure = try #require(await intent.failure())
            #expect(failure.text.contains(text), "\(failure.text)")
            // A service that crashes while it answers leaves the beginning of an answer.
            #expect(failure.mayPass == (text.hasSuffix("breaks off") || body.isEmpty))
        }
    }

    @Test(
        "An HTTP status means an answer, a transient error or a permanent one",
        arguments: [201, 301, 404, 429, 500, 501]
    )
    func statusesAreAnswerTransientOrPermanent(status: Int) async throws {
        try await TestHTTPServer.run { _, _ in
            var response = Self.answer()
            response.status = status
            return response
        } _: { server in
            let failure = try await ServedIntent(server.url()).failure()
            #expect((failure == nil) == (status == 201))
            #expect(failure?.mayPass ?? false == [429, 500].contains(status))
            if status == 301 { #expect(failure?.text.contains("redirections are not followed") == true) }
            #expect(server.requests.count == 1)
        }
    }

    @Test("An answer that is too large or too late, and an unreachable service, are errors")
    func boundsSizeAndTimeOfAnswers() async throws {
        let filler = String(repeating: "x", count: HTTPEndpoint.maximumAnswerBytes)
        try await Self.run(.init(body: #"{"parameters":{},"filler":"\#(filler)"}"#)) { intent in
            let failure = try #require(await intent.failure())
            #expect(failure.text.hasSuffix("the response has more than 262144 bytes") && !failure.mayPass)
        }
        let options = (1...101).map { #""\#($0)""# }.joined(separator: ",")
        try await Self.run(Self.answer(flavour: #"{"outcome":"disambiguation","options":[\#(options)]}"#)) { intent in
            let failure = try #require(await intent.failure(["flavour": "li"]))
            #expect(failure.text.hasSuffix("parameters.flavour.options has 101 values; 100 at most are expected"))
        }
        var closed = ""
        try await TestHTTPServer.run { _, _ in
            .init(isSilent: true)
        } _: { server in
            closed = server.url()
            let late = try #require(try await ServedIntent(closed, ["timeout": "PT0.2S"]).failure())
            #expect(late.text == "POST \(closed)/resolve: no response within 0.2 seconds" && late.mayPass)
        }
        #expect(try await ServedIntent(closed).failure()?.mayPass == true)
    }

    @Test(
        "The definition resolves what it can; the service is asked about the rest, in one call, with values in canonical form"
    )
    func definitionResolvesBeforeService() async throws {
        let parameters: JSONValue = [
            ["name": "day", "type": "dateTime"],
            ["name": "flavour", "type": "string", "values": ["Lime", "Lemon"]],
            ["name": "name", "type": "string", "required": true],
            ["name": "cups", "type": "integer"],
        ]
        try await TestHTTPServer.run { _, _ in
            .init(
                body: #"{"parameters":{"day":{"outcome":"notRequired"},"flavour":{"outcome":"needsValue"},"#
                    + #""name":{"outcome":"needsValue"},"cups":{"outcome":"needsValue"}}}"#
            )
        } _: { server in
            let intent = try ServedIntent(server.url(), parameters: parameters)
            let open = ["day", "flavour", "name", "cups"]
            // The service is not called when the definition refuses the first one.
            let first = try await intent.resolve(["day": "someday", "name": "Ada"], open: open)
            #expect(first == ["day": .single(.unsupported(ReasonDescription(DeclaredUnsupportedReason.wrongType)))])
            #expect(server.requests.isEmpty)
            // Up to the missing one; values have their canonical form.
            let some = try await intent.resolve(["day": "2026-12-03T19:30Z", "flavour": "LIME"], open: open)
            #expect(
                some == ["day": .single(.notRequired), "flavour": .single(.needsValue), "name": .single(.needsValue)]
            )
            let asked = try JSONValue(parsing: try #require(server.requests.first).body)
            #expect(asked["open"] == ["day", "flavour"])
            #expect(asked["intent"]?["parameters"]?["flavour"] == "Lime")
            // A resolved parameter is not asked for again.
            _ = try await intent.resolve(["name": "Ada"], open: ["name", "cups"])
            #expect(try JSONValue(parsing: try #require(server.requests.last).body)["open"] == ["name", "cups"])
            #expect(server.requests.count == 2)
        }
    }

    @Test("Where the service does not resolve, the definition does")
    func definitionResolvesWhenServiceDoesNot() async throws {
        let intent = try ServedIntent("http://127.0.0.1:1", ["calls": ["handle"]])
        #expect(intent.registration.resolveAll == nil)
        let snapshot = IntentSnapshot(name: "OrderLemonade", parameters: ["cups": 12])
        let outcome = try await intent.registration.resolve("cups", snapshot, BareTurnHost.context())
        #expect(outcome == .single(.unsupported(ReasonDescription(DeclaredUnsupportedReason.aboveMaximum))))
        #expect(try await intent.registration.confirm(snapshot, BareTurnHost.context()).code == "ready")
    }

    @Test("With a scenario's script no call is made")
    func scriptPreventsCalls() async throws {
        let intent = try ServedIntent("http://127.0.0.1:1", ["status": ["every": "PT1S"]])
        let context = BareTurnHost.context(script: "failure")
        let outcomes = try await intent.resolve(["cups": 2], context)
        #expect(outcomes["cups"] == .single(.success(2)))
        let snapshot = IntentSnapshot(name: "OrderLemonade", parameters: ["cups": 2])
        #expect(try await intent.registration.confirm(snapshot, context).code == "ready")
        #expect(try await intent.registration.handle(snapshot, context) == HandlerResponse(code: "failure"))
        #expect(try await intent.registration.statusUpdate(snapshot, context).isLast)
    }
}
