@testable import DeclaredIntents
import Foundation
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import IntentScenarios
import LibCurl
import Testing

@Suite("R51: posting to a service")
struct HTTPPostTests {
    private func registration(_ http: JSONObject) throws -> IntentRegistration {
        let file = DefinitionFile(["name": "OrderLemonade", "handler": ["http": .object(http)]])
        try #require(file.problems.isEmpty, "\(file.problems)")
        return try #require(file.definitions.first).makeRegistration()
    }

    private func handle(
        _ http: JSONObject,
        interaction: String = "i1",
        keys: IdempotencyKeys? = nil,
        attempt: Int = 1,
        script: String? = nil
    ) async throws -> HandlerResponse {
        let context = BareTurnHost.context(
            interaction: interaction,
            keys: keys,
            attempt: attempt,
            script: script
        )
        let intent = IntentSnapshot(name: "OrderLemonade", parameters: ["cups": 2, "flavour": "rhubarb"])
        return try await self.registration(http).handle(intent, context)
    }

    /// Whether the error is transient, and its message.
    private func failure(_ http: JSONObject, attempt: Int = 1) async -> (mayPass: Bool, text: String)? {
        do {
            _ = try await self.handle(http, attempt: attempt)
            return nil
        } catch {
            return (error is any TransientError, "\(error)")
        }
    }

    @Test("The intent is posted as JSON with its key, and the fields of the answer become the details")
    func postsIntentAndReturnsDetails() async throws {
        try await TestHTTPServer.run { _, _ in
            .init(status: 201, headers: ["Set-Cookie": "a=b"], body: #"{"order":"o-7","minutes":12}"#)
        } _: { server in
            let http: JSONObject = ["url": .string(server.url("/orders?shop=7")), "headers": ["X-Shop": "7"]]
            for _ in 1...2 {
                let response = try await self.handle(http)
                #expect(response == HandlerResponse(code: "success", details: ["order": "o-7", "minutes": 12]))
            }
            let request = try #require(server.requests.last)
            #expect(request.method == "POST")
            #expect(request.path == "/orders?shop=7")
            #expect(request.headers["idempotency-key"]?.wholeMatch(of: #/[0-9a-f]{32}/#) != nil)
            #expect(Set(server.requests.map { $0.headers["idempotency-key"] }).count == 1)
            #expect(request.headers["content-type"] == "application/json")
            #expect(request.headers["x-shop"] == "7")
            #expect(request.headers["cookie"] == nil)
            #expect(
                try JSONValue(parsing: request.body) == [
                    "intent": ["name": "OrderLemonade", "parameters": ["cups": 2, "flavour": "rhubarb"]],
                    "interaction": ["identifier": "i1", "groupIdentifier": "g1"], "user": ["id": "anna"],
                    "locale": "de-AT",
                ]
            )
        }
    }

    @Test("R30: the key is that of the first request; an interaction of an earlier version keeps the key of its id")
    func keepsKeyOfFirstRequest() async throws {
        try await TestHTTPServer.run { _, _ in
            .init(status: 200)
        } _: { server in
            let url: JSONObject = ["url": .string(server.url("/"))]
            let requests = [("0:7", "d"), ("0:7", "d"), ("0:7", "e"), ("7:0", "d")]
            for (position, deployment) in requests {
                _ = try await self.handle(url, keys: .request(position, deployment: deployment))
            }
            _ = try await self.handle(url, interaction: "i1~2", keys: .interaction("i1"))
            let keys = server.requests.compactMap { $0.headers["idempotency-key"] }
            #expect(keys.count == 5 && keys[0] == keys[1] && Set(keys).count == 4)
            #expect(keys[4] == "i1/OrderLemonade/0")
        }
    }

    @Test(
        "R35: a 429 or a 503 says how long to wait before the next try",
        arguments: [(429, "7", 7), (503, "7", 7), (500, "7", nil), (503, "soon", nil)] as [(Int, String, Int?)]
    )
    func heedsRetryAfter(status: Int, header: String, seconds: Int?) async throws {
        try await TestHTTPServer.run { _, _ in
            .init(status: status, headers: ["Retry-After": header])
        } _: { server in
            let error = await #expect(throws: HTTPPassingError.self) {
                _ = try await self.handle(["url": .string(server.url())])
            }
            #expect(error?.retryAfter == seconds.map { Duration.seconds($0) })
        }
    }

    @Test(
        "R76: only the failures that retry.on names are tried again, as often as it says",
        arguments: [(503, 1, true), (503, 3, false), (500, 1, false)]
    )
    func retriesNamedFailures(status: Int, attempt: Int, mayPass: Bool) async throws {
        try await TestHTTPServer.run { _, _ in
            .init(status: status)
        } _: { server in
            let http: JSONObject = ["url": .string(server.url()), "retry": ["attempts": 3, "on": [503, "timeout"]]]
            #expect(await self.failure(http, attempt: attempt)?.mayPass == mayPass)
        }
    }

    @Test("A request whose header has a line break is not sent", arguments: ["7\r\nX-Evil: 1", "7\nX-Evil: 1", "7\0"])
    func refusesLineBreakInHeader(value: String) async throws {
        try await TestHTTPServer.run { _, _ in
            .init()
        } _: { server in
            for headers in [["X-Shop": value], [value: "X-Shop"]] {
                let request = HTTPRequest(
                    [],
                    to: server.url(),
                    headers: headers,
                    timeout: .seconds(20),
                    maximumBytes: 1_024
                )
                await #expect(throws: HTTPExchangeError.self) { try await HTTPSession.shared.reply(to: request) }
            }
            #expect(server.requests.isEmpty)
        }
    }

    @Test("A client's id cannot inject headers")
    func escapesClientIDInHeader() async throws {
        try await TestHTTPServer.run { _, _ in
            .init()
        } _: { server in
            let id = "a\r\nX-Evil: é%"
            let url: JSONObject = ["url": .string(server.url())]
            _ = try await self.handle(url, interaction: id)
            _ = try await self.handle(url, keys: .interaction(id))
            #expect(server.requests.allSatisfy { $0.headers["x-evil"] == nil })
            let key = try #require(server.requests.last?.headers["idempotency-key"])
            #expect(key == "a%0D%0AX-Evil:%20%C3%A9%25/OrderLemonade/0")
        }
    }

    @Test(
        "Statuses map to codes as defined, the most specific rule first, else to success or failure",
        arguments: [
            (200, "success"), (204, "success"), (202, "inProgress"), (301, "failure"), (401, "failure"),
            (404, "failureNoSuchFlavour"), (409, "failureSoldOut"), (500, "failure"), (501, "failure"),
        ]
    )
    func mapsStatusesToCodes(status: Int, code: String) async throws {
        try await TestHTTPServer.run { _, _ in
            .init(
                status: status,
                headers: status == 301 ? ["Location": "/elsewhere"] : [:],
                body: status == 204 ? "" : "no JSON"
            )
        } _: { server in
            let codes: JSONValue = [
                "202": "inProgress", "4xx": "failure", "404": "failureNoSuchFlavour",
                "409": "failureSoldOut", "500": "failure",
            ]
            let response = try await self.handle(["url": .string(server.url()), "codes": codes])
            #expect(response == HandlerResponse(code: code))
            // A redirection is an answer: nothing is posted to an address that nobody configured.
            #expect(server.requests.count == 1)
        }
        let registration = try self.registration(["url": "http://x", "codes": ["409": "failureSoldOut"]])
        #expect(registration.codes.isSuperset(of: ["success", "failure", "failureSoldOut"]))
    }

    @Test(
        "A transient error is retried as often as the definition says",
        arguments: [408, 425, 429, 500, 502, 503, 504]
    )
    func retriesTransientErrors(status: Int) async throws {
        try await TestHTTPServer.run { _, _ in
            .init(status: status)
        } _: { server in
            let http: JSONObject = ["url": .string(server.url("/a?token=secret")), "attempts": 3]
            let first = try #require(await self.failure(http))
            #expect(first.mayPass)
            #expect(first.text == "POST \(server.url("/a")): it answered \(status)")
            #expect(await self.failure(http, attempt: 2)?.mayPass == true)
            #expect(await self.failure(http, attempt: 3)?.mayPass == false)
        }
    }

    @Test("An unreachable service is a transient error; an answer that never comes ends at the timeout")
    func retriesUnreachableServiceAndTimesOut() async throws {
        var closed = ""
        try await TestHTTPServer.run { _, _ in
            .init(isSilent: true)
        } _: { server in
            closed = server.url()
            let late = try #require(await self.failure(["url": .string(server.url()), "timeout": "PT0.2S"]))
            #expect(late.mayPass)
            #expect(late.text == "POST \(server.url()): no response within 0.2 seconds")
        }
        let refused = try #require(await self.failure(["url": .string(closed)]))
        #expect(refused.mayPass)
        #expect(refused.text.hasPrefix("POST \(closed): "))
    }

    @Test("An answer that is too large is refused, with or without a Content-Length", arguments: [false, true])
    func refusesOversizeAnswer(isChunked: Bool) async throws {
        let body = "{\"a\":\"\(String(repeating: "x", count: HTTPEndpoint.maximumAnswerBytes))\"}"
        try await TestHTTPServer.run { number, _ in
            number == 0 ? .init(body: body, isChunked: isChunked) : .init(body: #"{"b":1}"#)
        } _: { server in
            let failure = try #require(await self.failure(["url": .string(server.url())]))
            #expect(!failure.mayPass)
            #expect(failure.text == "POST \(server.url()): the response has more than 262144 bytes")
            // It does not disturb the next one.
            #expect(try await self.handle(["url": .string(server.url())]).details == ["b": 1])
        }
    }

    @Test("An answer that expands to too much, and endless headers, are refused")
    func refusesOversizeExpansionAndHeaders() async throws {
        // {"a":"xx…"} with 262,144 x, compressed by gzip to 299 bytes: bytes that are not listed here are zero.
        let head = "H4sIAAAAAAACA+3BQQ0AMAgEMC8nAzdzQULwvj8a2k5eKg0"
        let tail = "cGQ/uIQDUwgABAA="
        let base64 = head + String(repeating: "A", count: 400 - head.utf8.count - tail.utf8.count) + tail
        let compressed = Array(try #require(Data(base64Encoded: base64)))
        let headers = Dictionary(
            uniqueKeysWithValues: (0..<4_000).map { ("X-\($0)", String(repeating: "x", count: 90)) }
        )
        for response in [
            TestHTTPServer.Response(headers: ["Content-Encoding": "gzip"], bytes: compressed),
            TestHTTPServer.Response(headers: headers, body: "{}"),
        ] {
            try await TestHTTPServer.run { _, _ in
                response
            } _: { server in
                let failure = try #require(await self.failure(["url": .string(server.url())]))
                #expect(!failure.mayPass)
                #expect(failure.text == "POST \(server.url()): the response has more than 262144 bytes")
            }
        }
    }

    @Test("Connections are reused, and their number is bounded")
    func reusesAndBoundsConnections() async throws {
        try await TestHTTPServer.run { _, _ in
            .init()
        } _: { server in
            let http: JSONObject = ["url": .string(server.url())]
            for _ in 1...5 { _ = try await self.handle(http) }
            #expect(server.connections == 1)
            try await withThrowingTaskGroup(of: HandlerResponse.self) { group in
                for _ in 1...200 { group.addTask { try await self.handle(http) } }
                for try await response in group { #expect(response.code == "success") }
            }
            #expect(server.requests.count == 205)
            #expect(server.connections <= HTTPSession.maximumConnections)
        }
    }

    @Test("Waiting for a connection ends at the timeout, too", .timeLimit(.minutes(1)))
    func waitForConnectionTimesOut() async throws {
        try await TestHTTPServer.run { _, _ in
            .init(isSilent: true)
        } _: { server in
            let http: JSONObject = ["url": .string(server.url()), "timeout": "PT0.5S"]
            try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<(HTTPSession.maximumConnections + 10) {
                    group.addTask { await self.failure(http)?.text }
                }
                for try await text in group { #expect(text?.hasSuffix("no response within 0.5 seconds") == true) }
            }
        }
    }

    @Test("R47: an answer that is nested deeper than clients' events may be is refused", arguments: [64, 65])
    func refusesDeeplyNestedAnswer(depth: Int) async throws {
        let lists = depth - 1
        let body = "{\"a\":\(String(repeating: "[", count: lists))\(String(repeating: "]", count: lists))}"
        try await TestHTTPServer.run { _, _ in
            .init(body: body)
        } _: { server in
            let details = try await self.handle(["url": .string(server.url())]).details
            #expect(details.isEmpty == (depth > HTTPEndpoint.maximumAnswerDepth))
        }
    }

    @Test("A post is cancelled at once when its turn is over", .timeLimit(.minutes(1)))
    func cancelsPostWithItsTurn() async throws {
        try await TestHTTPServer.run { _, _ in
            .init(isSilent: true)
        } _: { server in
            let url = server.url()
            let task = Task { try await self.handle(["url": .string(url), "timeout": "PT1H"]) }
            await server.waitForRequests()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test("Secrets are read from the environment and from files, reported by name when missing, and never printed")
    func readsSecretsAndNeverPrintsThem() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("token")
        try "Bearer s3cret\n".write(toFile: file, atomically: true, encoding: .utf8)
        let home = try #require(HTTPHeaderValue.read(["env": "PATH"]).get().value)
        try await TestHTTPServer.run { _, _ in
            .init()
        } _: { server in
            let headers: JSONValue = ["Authorization": ["file": .string(file)], "X-Path": ["env": "PATH"]]
            _ = try await self.handle(["url": .string(server.url()), "headers": headers])
            #expect(server.requests.first?.headers["authorization"] == "Bearer s3cret")
            #expect(server.requests.first?.headers["x-path"] == home)
            let missing: JSONValue = ["A": ["file": "/nowhere/token"], "B": ["env": "INTENTD_TEST_NOT_SET"]]
            let failure = try #require(await self.failure(["url": .string(server.url()), "headers": missing]))
            #expect(!failure.mayPass)
            #expect(
                failure.text
                    == "POST \(server.url()): header A comes from the file /nowhere/token, which does not exist; "
                    + "header B comes from the environment variable INTENTD_TEST_NOT_SET, which is not set"
            )
        }
        let value = try HTTPHeaderValue.read(["file": .string(file)]).get()
        for text in ["\(value)", String(reflecting: value)] { #expect(!text.contains("s3cret")) }
    }

    @Test("With a scenario's script nothing is posted: the script says what the service answers")
    func scriptAnswersInsteadOfService() async throws {
        let http: JSONObject = ["url": "http://127.0.0.1:1/"]
        #expect(try await self.handle(http, script: "success").code == "success")
        #expect(try await self.handle(http, script: "failure").code == "failure")
    }

    @Test(
        "R35, R42: transient errors are retried with the same key, and the turns replay from the journal without the service"
    )
    func retriesWithSameKeyAndReplays() async throws {
        try await TestHTTPServer.run { number, _ in
            number == 0 ? .init(status: 503) : .init(body: #"{"order":"o-7"}"#)
        } _: { server in
            let registration = try self.registration(["url": .string(server.url())])
            let extensions = [IntentExtension("Tests") { registration }]
            try await Pipeline.run(on: .memory, .init(extensions: extensions, partitions: 1)) { pipeline in
                var scenario = Scenario(name: "order", userID: "anna", intent: IntentSnapshot(name: "OrderLemonade"))
                scenario.expect.code = .named("success")
                let result = await ScenarioPlayer(pipeline.client, .init(runID: "test")).play(scenario)
                #expect(result.outcome == .matched)
                let keys = server.requests.map { $0.headers["idempotency-key"] }
                #expect(keys.count == 2)
                #expect(Set(keys).count == 1)
                let outcomes = try await pipeline.replayAll(extensions)
                #expect(outcomes.count >= 4)
                #expect(outcomes.allSatisfy { $0.isMatch })
                #expect(server.requests.count == 2)
            }
        }
    }

    @Test("What libcurl does not accept is an error at once: a URL of more than 8 MB")
    func refusesWhatLibcurlRefuses() async {
        let address = "http://localhost/" + String(repeating: "a", count: 9_000_000)
        let request = HTTPRequest([], to: address, timeout: .seconds(10), maximumBytes: 1)
        let error = await #expect(throws: HTTPExchangeError.self) { try await HTTPSession.shared.reply(to: request) }
        #expect(error.map { "\($0)" }?.contains("libcurl rejected the request") == true)
    }
}
