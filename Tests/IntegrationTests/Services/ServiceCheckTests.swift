@testable import DeclaredIntents
import IntentKit
import IntentLab
@testable import SampleApps
import Synchronization
import Testing

@Suite("R61: `service check` finds faults by calling the service")
struct ServiceCheckTests {
    /// The ways in which a service misbehaves.
    enum Fault: String, CaseIterable, Sendable {
        case none, knowsEverybody, breaksOnJSON, refusesMembers, forgetsKeys, changesDetails, oneOutcomeTooFew
        case undeclaredCode, offersWhatItDoesNotTake, notJSON, tooLarge, redirects, slow, dropsLarge, noStatus
    }

    /// A shop that remembers keys, with one fault.
    private final class Shop: Sendable {
        private let fault: Fault
        private let orders = Mutex<[String: Int]>([:])
        private let asked = Atomic(0)

        init(_ fault: Fault) {
            self.fault = fault
        }

        func answer(_ request: TestHTTPServer.Request) -> TestHTTPServer.Response {
            let number = self.asked.add(1, ordering: .relaxed).newValue
            guard let json = try? JSONValue(parsing: request.body), let intent = json["intent"]?["name"]?.string else {
                return .init(status: self.fault == .breaksOnJSON ? 500 : 400)
            }
            guard intent == "OrderLemonade" || self.fault == .knowsEverybody else { return .init(status: 404) }
            if self.fault == .refusesMembers, request.body.contains("serviceCheck\":{") { return .init(status: 400) }
            if self.fault == .dropsLarge, request.body.utf8.count > 100_000 { return .init(status: 500) }
            if self.fault == .redirects { return .init(status: 302, headers: ["Location": "/elsewhere"]) }
            if self.fault == .notJSON { return .init(body: "fine!") }
            if self.fault == .tooLarge { return .init(body: "{\"a\":\"\(String(repeating: "x", count: 300_000))\"}") }
            let body = self.body(request.path.split(separator: "/").last ?? "", json, request.headers, number)
            return .init(body: body.description, milliseconds: self.fault == .slow ? 260 : 0)
        }

        private func body(
            _ call: Substring,
            _ json: JSONValue,
            _ headers: [String: String],
            _ number: Int
        ) -> JSONValue {
            let said = json["intent"]?["parameters"]
            switch call {
            case "resolve":
                let flavour: JSONValue =
                    said?["flavour"] == "lime" && self.fault != .offersWhatItDoesNotTake
                    ? ["outcome": "success", "value": "lime"]
                    : ["outcome": "disambiguation", "options": ["lime", "lemon"]]
                var toppings = (said?["toppings"]?.array ?? [])
                    .map { ["outcome": "success", "value": $0] as JSONValue }
                if self.fault == .oneOutcomeTooFew, toppings.count > 1 { toppings.removeLast() }
                let list: JSONValue = toppings.isEmpty ? ["outcome": "notRequired"] : .array(toppings)
                let cups: JSONValue =
                    said?["cups"].map { ["outcome": "success", "value": $0] } ?? ["outcome": "needsValue"]
                return ["parameters": ["flavour": flavour, "toppings": list, "cups": cups]]
            case "confirm":
                let time = self.fault == .changesDetails ? number : 0
                return ["code": "ready", "details": ["time": .integer(Int64(time))]]
            case "status": return self.fault == .noStatus ? ["isLast": "no"] : ["details": ["minutes": 3]]
            default:
                let order = self.orders.withLock { orders in
                    let key = self.fault == .forgetsKeys ? "\(orders.count)" : headers["idempotency-key"] ?? ""
                    orders[key] = orders[key] ?? orders.count
                    return orders[key] ?? 0
                }
                let code = self.fault == .undeclaredCode ? "failureSoldOut" : "success"
                return ["code": .string(code), "details": ["order": .integer(Int64(order))]]
            }
        }
    }

    private static func findings(
        _ fault: Fault,
        handles: Bool = true,
        values: [String: [JSONValue]] = ["flavour": ["lim"]]
    ) async throws -> [ServiceCheck.Finding] {
        let shop = Shop(fault)
        var findings: [ServiceCheck.Finding] = []
        try await TestHTTPServer.run { _, request in
            shop.answer(request)
        } _: { server in
            let file = DefinitionFile([
                "name": "OrderLemonade", "parameters": ServedIntent.parameters,
                "handler": [
                    "service": [
                        "url": .string(server.url()), "timeout": fault == .slow ? "PT0.5S" : "PT30S",
                        "status": ["every": "PT1S"],
                    ]
                ],
            ])
            let definition = try #require(file.definitions.first, "\(file.problems)")
            var check = try #require(ServiceCheck(definition, values: values, handles: handles, run: "test"))
            findings = await check.findAll()
            if !handles {
                #expect(!server.requests.contains { $0.path.hasSuffix("handle") })
            } else {
                // All actions have idempotency keys of their own.
                let keys = server.requests.compactMap { $0.headers["idempotency-key"] }
                // On a busy machine the slow one fails before `handle` is called.
                let mayDoNothing: [Fault] = [.notJSON, .tooLarge, .redirects, .slow]
                #expect(!keys.isEmpty || mayDoNothing.contains(fault))
                let refused = BareTurnHost.context(interaction: "test-refused").idempotencyKey(for: "handle")
                for request in server.requests {
                    guard let key = request.headers["idempotency-key"],
                        let asked = try? JSONValue(parsing: request.body),
                        let id = asked["interaction"]?["identifier"]?.string,
                        let name = asked["intent"]?["name"]?.string
                    else { continue }
                    // The run's own id is a part of it: no earlier check has used the key.
                    #expect(id.hasPrefix("test-"))
                    #expect([refused, BareTurnHost.context(interaction: id).idempotencyKey(for: name)].contains(key))
                }
            }
        }
        return findings
    }

    @Test("A correct service has no findings", arguments: [true, false])
    func correctServiceHasNoFindings(handles: Bool) async throws {
        let findings = try await Self.findings(.none, handles: handles)
        #expect(findings.filter { $0.verdict == .wrong }.isEmpty, "\(findings)")
        let notes = findings.filter { $0.subject == "outcomes of flavour" }
        #expect(
            notes.map(\.text) == [
                "success, disambiguation; not seen: notRequired, needsValue, confirmationRequired, unsupported"
            ]
        )
        let repeated = findings.filter { $0.subject == "handle: a repeated Idempotency-Key" }
        #expect(repeated.map(\.verdict) == (handles ? [.right] : []))
    }

    @Test(
        "Each fault is found, and reported in plain words",
        arguments: [
            (.knowsEverybody, "resolve: an unknown intent", "as if the call were valid"),
            (.breaksOnJSON, "resolve: a body that is not JSON", "it answers 500, which means a temporary error"),
            (.refusesMembers, "confirm: unknown members", "ignore unknown ones"),
            (.forgetsKeys, "handle: a repeated Idempotency-Key", "a repeated key must return the same answer"),
            (.changesDetails, "confirm: asked again after the yes", "the same request returns other details"),
            (.oneOutcomeTooFew, "resolve: values of toppings", "one for each is expected, in the same order"),
            (.offersWhatItDoesNotTake, "resolve: options of flavour", "is rejected when the user picks it"),
            (.undeclaredCode, "handle", "code is failureSoldOut, which the intent does not declare"),
            (.notJSON, "resolve: nothing said", "the answer is not JSON"),
            (.tooLarge, "resolve: nothing said", "the response has more than 262144 bytes"),
            (.redirects, "resolve: nothing said", "redirections are not followed"),
            (.slow, "time", "time"),
            (.dropsLarge, "resolve: a call of half a megabyte", "it answers 500"),
            (.noStatus, "status", "isLast must be true or false, not \"no\""),
        ] as [(Fault, String, String)]
    )
    func findsEachFaultInPlainWords(fault: Fault, subject: String, text: String) async throws {
        let findings = try await Self.findings(fault)
        let wrong = findings.filter { $0.verdict == .wrong }
        let right = findings.filter { $0.verdict == .right }
        #expect(Set(right.map(\.subject)).isDisjoint(with: wrong.map(\.subject)))
        #expect(wrong.contains { $0.subject == subject && $0.text.contains(text) }, "\(wrong)")
    }

    @Test("A service that serves one connection at a time is reported: it keeps others waiting")
    func reportsOneConnectionAtATime() async throws {
        let busy = Mutex(false)
        try await TestHTTPServer.run { _, request in
            // A caller that comes while another is served gets no answer.
            let isFree = busy.withLock { isBusy in
                defer { isBusy = request.body.contains("\"open\"") }
                return !isBusy
            }
            return .init(body: "{}", isSilent: !isFree)
        } _: { server in
            let file = DefinitionFile([
                "name": "OrderLemonade", "handler": ["service": ["url": .string(server.url()), "timeout": "PT2S"]],
            ])
            let definition = try #require(file.definitions.first)
            var check = try #require(ServiceCheck(definition, handles: false, run: "test"))
            let findings = await check.findAll()
            let found = findings.first { $0.subject == "resolve: 16 at once" }
            #expect(found?.verdict == .wrong)
            #expect(found?.text.contains("Serve several connections concurrently") == true)
        }
    }

    @Test(
        "Declined offers are tried, and a question instead of an answer is shown",
        arguments: [
            (#"{"outcome":"disambiguation","options":["mint"]}"#, .right, "others are offered"),
            (#"{"outcome":"needsValue"}"#, .right, "none is offered again"),
            (#"{"outcome":"disambiguation","options":["lime","lemon"]}"#, .note, "only declined ones"),
            (#"{"outcome":"confirmationRequired","value":"lime"}"#, .note, "only declined ones"),
            (#"{"outcome":"none"}"#, .wrong, "outcome"),
        ] as [(String, ServiceCheck.Finding.Verdict, String)]
    )
    func triesDeclinedOffers(answer: String, verdict: ServiceCheck.Finding.Verdict, text: String) async throws {
        try await TestHTTPServer.run { _, request in
            guard let json = try? JSONValue(parsing: request.body), json["intent"]?["name"] == "OrderLemonade" else {
                return .init(status: 400)
            }
            guard request.path.hasSuffix("resolve") else {
                return .init(body: #"{"code":"failure","ask":{"parameter":"flavour","outcome":"needsValue"}}"#)
            }
            let isSaid = json["intent"]?["parameters"]?["flavour"] != nil
            let offer = #"{"outcome":"disambiguation","options":["lime","lemon"]}"#
            let outcome =
                isSaid
                ? #"{"outcome":"success","value":"lime"}"#
                : json["declined"] == ["flavour": ["lime", "lemon"]] ? answer : offer
            return .init(body: #"{"parameters":{"flavour":\#(outcome)}}"#)
        } _: { server in
            let file = DefinitionFile([
                "name": "OrderLemonade", "handler": ["service": ["url": .string(server.url())]],
                "parameters": [["name": "flavour", "type": "string"]],
            ])
            let definition = try #require(file.definitions.first, "\(file.problems)")
            var check = try #require(ServiceCheck(definition, run: "test"))
            let findings = await check.findAll()
            let declined = findings.first { $0.subject == "resolve: offers of flavour are declined" }
            #expect(declined?.verdict == verdict && declined?.text.contains(text) == true, "\(findings)")
            for call in ["confirm", "handle"] {
                let asked = findings.first { $0.subject == call }
                #expect(asked?.text == "it asks back about flavour", "\(findings)")
            }
        }
    }

    @Test(
        "lookup is tried before and after handle, and a repeated key is not",
        arguments: [
            ("right", []), ("unknown", []), ("forgets", ["lookup: what handle has done"]),
            ("invents", ["lookup: nothing was posted"]), ("differs", ["lookup: what handle has done"]),
        ] as [(String, [String])]
    )
    func triesLookup(answer: String, wrong: [String]) async throws {
        let posted = Mutex<Set<String>>([])
        try await TestHTTPServer.run { _, request in
            guard let json = try? JSONValue(parsing: request.body), let name = json["intent"]?["name"]?.string else {
                return .init(status: 400)
            }
            guard name == "OrderLemonade", let key = request.headers["idempotency-key"] else {
                return .init(status: 404)
            }
            if request.path.hasSuffix("handle") {
                posted.withLock { _ = $0.insert(key) }
                return .init(body: #"{"code":"success","details":{"order":7}}"#)
            }
            let isDone = posted.withLock { $0.contains(key) } && answer != "forgets" || answer == "invents"
            let order = answer == "differs" ? 8 : 7
            if answer == "unknown" { return .init(body: #"{"outcome":"unknown"}"#) }
            return .init(
                body: isDone
                    ? #"{"outcome":"done","code":"success","details":{"order":\#(order)}}"# : #"{"outcome":"notDone"}"#
            )
        } _: { server in
            let service: JSONValue = ["url": .string(server.url()), "calls": ["handle", "lookup"]]
            let file = DefinitionFile(["name": "OrderLemonade", "handler": ["service": service]])
            let definition = try #require(file.definitions.first, "\(file.problems)")
            var check = try #require(ServiceCheck(definition, run: "test"))
            let findings = await check.findAll()
            let faults = findings.filter { $0.verdict == .wrong }.map(\.subject)
            #expect(faults == wrong, "\(findings)")
            #expect(!findings.contains { $0.subject.contains("repeated") })
            let asksOperator = findings.contains { $0.verdict == .note && $0.text.contains("operator") }
            #expect(asksOperator == (answer == "unknown"))
        }
    }

    @Test("A service that refuses made-up values is not at fault")
    func refusedMadeUpValueIsNoFault() async throws {
        try await TestHTTPServer.run { _, request in
            guard request.path.hasSuffix("resolve"), request.body.contains("OrderLemonade") else {
                return .init(status: 400)
            }
            return .init(body: #"{"parameters":{"flavour":{"outcome":"unsupported"}}}"#)
        } _: { server in
            let file = DefinitionFile([
                "name": "OrderLemonade", "handler": ["service": ["url": .string(server.url())]],
                "parameters": [["name": "flavour", "type": "string", "required": true]],
            ])
            let definition = try #require(file.definitions.first)
            var check = try #require(ServiceCheck(definition, run: "test"))
            let findings = await check.findAll()
            #expect(findings.filter { $0.verdict == .wrong }.isEmpty, "\(findings)")
            let notes = findings.filter { $0.verdict == .note }.map(\.text)
            let advice = "give one that the service knows: --value flavour=VALUE"
            #expect(notes.contains("no value of flavour is accepted; \(advice)"))
            #expect(notes.contains("not tried, since the parameters did not settle"))
        }
    }

    @Test("A service that hangs is given up after three calls")
    func givesUpHangingServiceAfterThreeCalls() async throws {
        try await TestHTTPServer.run { number, _ in
            .init(status: 404, isSilent: number > 0)
        } _: { server in
            let file = DefinitionFile([
                "name": "OrderLemonade", "parameters": ServedIntent.parameters,
                "handler": ["service": ["url": .string(server.url()), "timeout": "PT2S"]],
            ])
            let definition = try #require(file.definitions.first)
            var check = try #require(ServiceCheck(definition, run: "test"))
            let findings = await check.findAll()
            #expect(findings.last?.text == "three calls timed out: the check stopped")
            #expect(server.requests.count == 4)
        }
    }

    @Test("An unreachable service is one finding; a definition without a service is not checked")
    func unreachableServiceIsOneFinding() async throws {
        var closed = ""
        try await TestHTTPServer.run { _, _ in
            .init()
        } _: {
            closed = $0.url()
        }
        let file = DefinitionFile(["name": "A", "handler": ["service": ["url": .string(closed)]]])
        let definition = try #require(file.definitions.first)
        var check = try #require(ServiceCheck(definition, run: "test"))
        let findings = await check.findAll()
        #expect(findings.map(\.subject) == [ServiceCheck.reaching] && findings.map(\.verdict) == [.wrong])
        let other = try #require(DefinitionFile(["name": "A"]).definitions.first)
        #expect(ServiceCheck(other, run: "test") == nil)
    }

    @Test("Credentials are sent only to the definition's own origin")
    func sendsCredentialsToOwnOriginOnly() async throws {
        try await TestHTTPServer.run { _, _ in
            .init(body: #"{"code":"ready"}"#)
        } _: { server in
            let headers: JSONValue = ["Authorization": "Bearer s3cret", "X-Path": ["env": "PATH"], "X-Shop": "7"]
            let file = DefinitionFile([
                "name": "A", "handler": ["service": ["url": "https://shop.example/a", "headers": headers]],
            ])
            let definition = try #require(file.definitions.first)
            var check = try #require(ServiceCheck(definition, url: server.url(), run: "test"))
            let findings = await check.findAll()
            let text = "not sent, since this is not the definition's address: Authorization, X-Path"
            #expect(findings.first?.text == text)
            #expect(!server.requests.isEmpty)
            for request in server.requests {
                #expect(request.headers["authorization"] == nil && request.headers["x-path"] == nil)
                #expect(request.headers["x-shop"] == "7")
            }
        }
    }
}
