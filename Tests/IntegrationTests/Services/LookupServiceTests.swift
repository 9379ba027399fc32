@testable import DeclaredIntents
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Synchronization
import Testing
import WireRules

@Suite("R76: a service without idempotency keys is asked for the outcome of a post")
struct LookupServiceTests {
    private static let parameters: JSONValue = [["name": "cups", "type": "integer"]]
    private static let snapshot = IntentSnapshot(name: "OrderLemonade", parameters: ["cups": 2])

    /// An intent whose service has `lookup`, and a time limit that a busy machine keeps.
    private static func intent(_ server: TestHTTPServer, _ more: JSONObject = [:]) throws -> ServedIntent {
        var service: JSONObject = [
            "calls": ["handle", "lookup"], "timeout": "PT1.5S", "retry": ["first": "PT0.01S", "attempts": 4],
        ]
        service.merge(more) { $1 }
        return try ServedIntent(server.url(), service, parameters: Self.parameters, confirmation: "never")
    }

    /// Answers `handle` and `lookup` with the next response of each; the last one counts for all further calls.
    private static func answering(
        handle: [TestHTTPServer.Response],
        lookup: [TestHTTPServer.Response]
    ) -> @Sendable (Int, TestHTTPServer.Request) -> TestHTTPServer.Response {
        let left = LeftResponses(handle: handle, lookup: lookup)
        return { _, request in left.next(request.path.hasSuffix("/lookup")) }
    }

    private final class LeftResponses: Sendable {
        private let state: Mutex<(handle: [TestHTTPServer.Response], lookup: [TestHTTPServer.Response])>

        init(handle: [TestHTTPServer.Response], lookup: [TestHTTPServer.Response]) {
            self.state = Mutex((handle, lookup))
        }

        func next(_ isLookup: Bool) -> TestHTTPServer.Response {
            self.state.withLock { state in
                if isLookup { return state.lookup.count > 1 ? state.lookup.removeFirst() : state.lookup[0] }
                return state.handle.count > 1 ? state.handle.removeFirst() : state.handle[0]
            }
        }
    }

    private static let silence = TestHTTPServer.Response(isSilent: true)
    private static let done = TestHTTPServer.Response(
        body: #"{"outcome":"done","code":"success","details":{"order":17}}"#
    )
    private static let success = TestHTTPServer.Response(body: #"{"code":"success","details":{"order":18}}"#)
    private static let notDone = TestHTTPServer.Response(body: #"{"outcome":"notDone"}"#)
    private static let unknown = TestHTTPServer.Response(body: #"{"outcome":"unknown"}"#)

    /// Plays a conversation, and returns its first response of that kind, and the calls that the service got.
    private static func play(
        handle: [TestHTTPServer.Response],
        lookup: [TestHTTPServer.Response],
        until isOver: @escaping @Sendable (Event) -> Bool = { $0.data["terminal"] == true }
    ) async throws -> (response: JSONValue, requests: [TestHTTPServer.Request]) {
        var played: (response: JSONValue, requests: [TestHTTPServer.Request])?
        try await TestHTTPServer.run(Self.answering(handle: handle, lookup: lookup)) { server in
            let registration = try Self.intent(server).registration
            var settings = RuntimeSettings()
            settings.formats = RecordFormats(reads: 1...2, writes: 2)
            let configuration = Pipeline.Configuration(
                extensions: [IntentExtension("Tests") { [registration] }],
                settings: settings
            )
            let response = try await Pipeline.run(on: .memory, configuration) { pipeline -> JSONValue in
                try await pipeline.request("OrderLemonade", ["cups": 2], subject: "i1")
                return try await pipeline.next { $0.subject == "i1" && isOver($0) }.data
            }
            played = (response, server.requests)
        }
        return try #require(played)
    }

    private static func calls(_ requests: [TestHTTPServer.Request]) -> [String] {
        requests.map { String($0.path.split(separator: "/").last ?? "") }
    }

    @Test("The service dies between receipt and answer: lookup returns done, and nothing is posted again")
    func doneBeforeTheAnswer() async throws {
        let (response, requests) = try await Self.play(handle: [Self.silence], lookup: [Self.done])
        #expect(response["status"] == "success" && response["response"]?["order"] == 17)
        #expect(Self.calls(requests) == ["handle", "lookup"])
        #expect(Set(requests.map { $0.headers["idempotency-key"] ?? "" }).count == 1)
        #expect(requests[0].headers["idempotency-key"] != nil)
        let asked = try requests.map { try JSONValue(parsing: $0.body) }
        #expect(asked[0]["intent"] == asked[1]["intent"] && asked[0]["interaction"] == asked[1]["interaction"])
        let problem = ServiceCall.lookup.request.problem(in: try #require(asked[1].object), .written)
        #expect(problem == nil)
    }

    @Test("Lookup returns notDone: it is posted once more, with the same key")
    func notDoneIsPostedAgain() async throws {
        let (response, requests) = try await Self.play(
            handle: [Self.silence, Self.success],
            lookup: [.init(status: 503), Self.notDone]
        )
        #expect(response["status"] == "success" && response["response"]?["order"] == 18)
        #expect(Self.calls(requests) == ["handle", "lookup", "lookup", "handle"])
        #expect(Set(requests.map { $0.headers["idempotency-key"] ?? "" }).count == 1)
        #expect(requests[0].headers["idempotency-key"] != nil)
    }

    @Test("Lookup returns unknown: nothing is posted, and the user learns that it is being checked")
    func unknownWaits() async throws {
        // A stage that is slow to begin says first that it is working on it.
        let (response, requests) = try await Self.play(handle: [Self.silence], lookup: [Self.unknown]) {
            $0.data["dialog"]?.string?.contains("That is being checked") == true
        }
        #expect(response["terminal"] == false && response["status"] == "inProgress")
        #expect(Self.calls(requests) == ["handle", "lookup"])
    }

    /// Journals nothing, but wraps errors as the journal does.
    ///
    /// With `isMarked` an earlier run has left its mark; with `isCleared` an operator has decided that nothing was done.
    private struct KeepingHost: StubTurnHost {
        var isMarked: Bool
        var isCleared: Bool

        func run(_ name: String, _ body: @Sendable () async throws -> JSONValue) async throws -> JSONValue {
            do {
                return try await body()
            } catch {
                throw JournaledError(
                    message: "\(error)",
                    isTransient: error is any TransientError,
                    retryAfter: (error as? any TransientError)?.retryAfter
                )
            }
        }

        func step(_ name: String, _ body: @Sendable () async throws -> JSONValue) async throws -> JSONValue {
            if self.isCleared, name == IntentRegistration.clearance(of: ServiceCaller.postMark) { return true }
            return self.isMarked ? "of another run" : try await body()
        }
    }

    private static func context(
        isMarked: Bool = false,
        isCleared: Bool = false,
        attempt: Int = 1,
        originalInteractionID: String? = nil
    ) -> TurnContext {
        KeepingHost(isMarked: isMarked, isCleared: isCleared)
            .context(originalInteractionID: originalInteractionID, attempt: attempt)
    }

    /// The result of the only call.
    private enum Result: Equatable {
        case code(String?)
        case open(mayPass: Bool)
        case error
    }

    private static func result(
        _ answer: TestHTTPServer.Response,
        _ context: TurnContext,
        _ more: JSONObject = [:]
    ) async throws -> (result: Result, calls: [String]) {
        var result = Result.error
        var calls: [String] = []
        try await TestHTTPServer.run(Self.answering(handle: [answer], lookup: [answer])) { server in
            let intent = try Self.intent(server, more)
            do {
                result = .code(try await intent.registration.handle(Self.snapshot, context).code)
            } catch let error as OpenOutcomeError {
                result = .open(mayPass: error.isTransient)
            } catch {
                result = .error
            }
            calls = Self.calls(server.requests)
        }
        return (result, calls)
    }

    /// Checks the result of an answer to a post, or to a lookup if a post is marked.
    private static func expect(
        _ answer: TestHTTPServer.Response,
        attempt: Int = 1,
        isMarked: Bool = false,
        _ expected: Result,
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let (result, calls) = try await Self.result(answer, Self.context(isMarked: isMarked, attempt: attempt))
        #expect(result == expected, sourceLocation: location)
        #expect(calls == [isMarked ? "lookup" : "handle"], sourceLocation: location)
    }

    @Test("The outcome of a post without a valid answer is open, unless its status is a refusal")
    func answersToPosts() async throws {
        try await Self.expect(Self.success, .code("success"))
        try await Self.expect(Self.silence, .open(mayPass: true))
        try await Self.expect(Self.silence, attempt: 4, .open(mayPass: false))
        try await Self.expect(.init(status: 503), attempt: 3, .open(mayPass: true))
        try await Self.expect(.init(status: 500), attempt: 4, .open(mayPass: false))
        try await Self.expect(.init(body: "fine!"), .open(mayPass: true))
        try await Self.expect(.init(body: "fine!"), attempt: 4, .open(mayPass: false))
        try await Self.expect(.init(body: #"{"code":"odd"}"#), .open(mayPass: true))
        try await Self.expect(.init(body: #"{"code":"odd"}"#), attempt: 4, .open(mayPass: false))
        let large = String(repeating: "x", count: 300_000)
        try await Self.expect(.init(body: #"{"a":"\#(large)"}"#), .open(mayPass: true))
        for status in [400, 302, 501] { try await Self.expect(.init(status: status), .error) }
    }

    @Test("A lookup without an outcome leaves it open; only transient failures are tried again")
    func answersToLookups() async throws {
        try await Self.expect(Self.done, isMarked: true, .code("success"))
        try await Self.expect(Self.unknown, isMarked: true, .open(mayPass: false))
        try await Self.expect(Self.silence, isMarked: true, .open(mayPass: true))
        try await Self.expect(.init(status: 503), isMarked: true, .open(mayPass: true))
        try await Self.expect(.init(status: 503), attempt: 4, isMarked: true, .open(mayPass: false))
        try await Self.expect(.init(status: 404), isMarked: true, .open(mayPass: false))
        for body in ["fine!", #"{"outcome":"maybe"}"#, #"{"outcome":"done"}"#] {
            try await Self.expect(.init(body: body), isMarked: true, .open(mayPass: false))
        }
    }

    @Test("A redriven interaction first looks up the post of the original interaction")
    func redrivenLooksUp() async throws {
        let context = Self.context(originalInteractionID: "i0")
        let (result, calls) = try await Self.result(Self.done, context)
        #expect(result == .code("success") && calls == ["lookup"])
        let decided = Self.context(isCleared: true, originalInteractionID: "i0")
        let again = try await Self.result(Self.success, decided)
        #expect(again.result == .code("success") && again.calls == ["handle"])
    }

    @Test("Without lookup a service is not asked, and a failed post of the last attempt is an error")
    func withoutLookup() async throws {
        let only: JSONObject = ["calls": ["handle"]]
        let (result, calls) = try await Self.result(.init(status: 503), Self.context(attempt: 4), only)
        #expect(result == .error && calls == ["handle"])
        let marked = try await Self.result(Self.success, Self.context(isMarked: true), only)
        #expect(marked.result == .code("success") && marked.calls == ["handle"])
    }

    @Test("A definition with lookup has no retry.on")
    func noFailuresToChooseFrom() {
        let file = DefinitionFile([
            "name": "OrderLemonade",
            "handler": [
                "service": ["url": "http://127.0.0.1:1", "calls": ["handle", "lookup"], "retry": ["on": ["timeout"]]]
            ],
        ])
        #expect(file.problems.map(\.message).contains { $0.hasPrefix("on has no meaning with lookup") })
    }
}
