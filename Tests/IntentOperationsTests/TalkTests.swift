import Foundation
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import LocalHTTP
import Logging
import Synchronization
import Testing

@testable import IntentOperations

@Suite("Conversations through a gateway", .timeLimit(.minutes(1)))
struct TalkTests {
    private static let key = UUID()
    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private static let request = Talk.Request(
        intent: "OrderLemonade",
        values: [("flavour", "lemon")],
        user: "ada",
        device: "phone",
        isLocked: false,
        locale: nil,
        timeZone: nil
    )

    /// Runs the body with a conversation through a gateway that answers as the closure says.
    private static func talking(
        token: String? = nil,
        through answer: @escaping @Sendable (HTTPServerRequest) -> HTTPServerResponse,
        _ body: (Talk) async throws -> Void
    ) async throws {
        var limits = HTTPServer.Limits()
        limits.idleSeconds = 60
        let server = try await HTTPServer.listen(host: "127.0.0.1", port: 0, limits: limits, logger: Self.quiet) {
            answer($0)
        }
        try await body(try Self.talk(at: "http://\(server.address)/", token: token))
        await server.close()
    }

    private static func talk(at address: String, token: String? = nil) throws -> Talk {
        var configuration = Configuration()
        configuration.values[Setting.consoleGateway.key] = .init(value: .text(address), origin: .byDefault)
        if let token {
            configuration.values[Setting.consoleGatewayToken.key] = .init(value: .text(token), origin: .byDefault)
        }
        let gateway = try #require(GatewayClient(configuration))
        return Talk(gateway: gateway, registry: .empty)
    }

    private static func json(_ status: Int, _ json: JSONValue) -> HTTPServerResponse {
        HTTPServerResponse(status: status, type: "application/json", text: json.description)
    }

    /// The error of a request that a gateway answers in that way.
    private static func error(_ response: HTTPServerResponse, token: String? = nil) async throws -> OperationError? {
        var error: OperationError?
        try await Self.talking(token: token) { _ in
            response
        } _: { talk in
            error = await #expect(throws: OperationError.self) {
                _ = try await talk.ask(Self.request, key: Self.key)
            }
        }
        return error
    }

    @Test("A request has the user, the id and the token in headers, whatever the user's id contains")
    func requestNamesUserAndKey() async throws {
        let seen = Mutex<[HTTPServerRequest]>([])
        let directory = try TemporaryDirectory()
        let file = directory.file("token")
        try "one.two.three\n".write(toFile: file, atomically: true, encoding: .utf8)
        try await Self.talking(token: "file:\(file)") { request in
            seen.withLock { $0.append(request) }
            return Self.json(201, ["id": "x"])
        } _: { talk in
            var request = Self.request
            request.user = "a\r\nX-Evil: é%"
            request.isLocked = true
            request.locale = "de-DE"
            request.timeZone = "Europe/Berlin"
            let id = try await talk.ask(request, key: Self.key)
            #expect(id.text == Self.key.uuidString.lowercased())
            // A token that was replaced counts from the next request on.
            try "four.five.six".write(toFile: file, atomically: true, encoding: .utf8)
            _ = try await talk.ask(Self.request, key: Self.key)
        }
        let requests = seen.withLock(\.self)
        try #require(requests.count == 2)
        #expect(requests[0].method == .post && requests[0].path == ["v1", "interactions"])
        #expect(requests[0].headers["Idempotency-Key"] == Self.key.uuidString.lowercased())
        #expect(requests[0].headers["Intentd-User"] == "a%0D%0AX-Evil%3A%20%C3%A9%25")
        #expect(requests[0].headers["X-Evil"] == nil)
        #expect(requests.map { $0.headers["Authorization"] } == ["Bearer one.two.three", "Bearer four.five.six"])
        let body = try JSONValue(parsing: requests[0].body)
        let expected: JSONValue = [
            "intent": "OrderLemonade", "parameters": ["flavour": "lemon"],
            "device": ["id": "phone", "locked": true], "locale": "de-DE", "timeZone": "Europe/Berlin",
        ]
        #expect(body == expected)
        let plain = try JSONValue(parsing: requests[1].body)
        #expect(plain["locale"] == nil && plain["timeZone"] == nil)
    }

    @Test("Each kind of reply goes to a resource of its own, and what is not understood is not sent")
    func repliesGoToTheirResources() async throws {
        let seen = Mutex<[(path: [String], body: JSONValue?)]>([])
        func event(_ type: EventType, _ data: JSONValue) -> Event {
            Event(
                id: "1",
                source: "/test",
                type: type,
                time: Timestamp(milliseconds: 0),
                subject: "a/b",
                userID: "ada",
                data: data
            )
        }
        func prompt(_ kind: String) -> Event { event(.promptIssued, ["kind": .string(kind), "promptId": "a/b/r/1"]) }
        try await Self.talking { request in
            seen.withLock { $0.append((request.path, try? JSONValue(parsing: request.body))) }
            return Self.json(202, [:])
        } _: { talk in
            let replies = [
                (prompt("intentConfirmation"), "yes"), (prompt("unlockRequired"), "cancel"),
                (prompt("unlockRequired"), "unlock"), (prompt("authenticationRequired"), "sign in"),
                (event(.intentResponded, ["code": "handleInApp"]), "success"),
            ]
            for (event, line) in replies {
                try await talk.reply(to: event, line, on: "my phone", key: UUID())
            }
            await #expect(throws: NotUnderstood.self) {
                try await talk.reply(to: prompt("intentConfirmation"), "perhaps", on: "phone", key: UUID())
            }
        }
        let sent = seen.withLock(\.self)
        let interaction = ["v1", "interactions", "a/b"]
        #expect(
            sent.map(\.path) == [
                interaction + ["answers"], interaction + ["answers"], ["v1", "devices", "my phone", "unlocked"],
                ["v1", "signed-in"], interaction + ["report"],
            ]
        )
        #expect(
            sent.map(\.body) == [
                ["action": "accept", "promptId": "a/b/r/1"], ["action": "cancel", "promptId": "a/b/r/1"], [:], [:],
                ["code": "success"],
            ]
        )
    }

    @Test("What the gateway refuses is refused with its own words; about tokens, with the setting to check")
    func refusalsHaveTheGatewaysWords() async throws {
        func problem(_ status: Int, _ title: String, _ code: String) -> HTTPServerResponse {
            Self.json(status, ["title": .string(title), "detail": "Because of that.", "code": .string(code)])
        }
        let conflict = try #require(try await Self.error(problem(409, "Conflict", "idConflict")))
        #expect(conflict.code == .usage && conflict.message.hasSuffix("answered 409 Conflict: Because of that."))
        let forbidden = try #require(try await Self.error(problem(403, "Forbidden", "forbidden")))
        #expect(forbidden.code == .usage && forbidden.message.hasSuffix("that. Check console.gatewayToken."))
        let unauthorized = try #require(try await Self.error(problem(401, "Unauthorized", "unauthorized")))
        #expect(unauthorized.code == .usage && unauthorized.message.hasSuffix("that. Check console.gatewayToken."))
        let agent = try #require(try await Self.error(problem(403, "Forbidden", "userMustConfirm")))
        #expect(agent.message.hasSuffix("answered 403 Forbidden: Because of that."))
        let busy = try #require(try await Self.error(problem(503, "Service Unavailable", "unavailable")))
        #expect(busy.code == .unavailable && busy.message.hasSuffix("Unavailable: Because of that."))
        let long = HTTPServerResponse(status: 400, text: #"{"detail":"\#(String(repeating: "x", count: 60_000))"}"#)
        let cut = try #require(try await Self.error(long))
        #expect(cut.code == .usage && cut.message.utf8.count < 2_000)
    }

    @Test(
        "What answers in another way than a gateway may have taken the request, and is not believed",
        arguments: [
            (200, "<html>"), (302, "{}"), (404, "Not found"), (502, "<html>"), (200, "[]"), (404, "{}"),
            (200, #"{"a":""# + String(repeating: "x", count: 5 << 20) + #""}"#),
        ]
    )
    func anotherServerIsNoGateway(status: Int, text: String) async throws {
        let error = try #require(try await Self.error(HTTPServerResponse(status: status, text: text)))
        #expect(error.code == .unavailable)
        #expect(error.message.contains("gateway at http://127.0.0.1:") && error.message.utf8.count < 1_000)
        #expect(status >= 500 || error.message.hasSuffix("Check console.gateway."))
    }

    @Test("A gateway that cannot be reached is named with the setting")
    func unreachableGatewayIsNamed() async throws {
        let server = try await HTTPServer.listen(
            host: "127.0.0.1",
            port: 0,
            limits: HTTPServer.Limits(),
            logger: Self.quiet
        ) { _ in HTTPServerResponse(text: "") }
        let address = server.address
        await server.close()
        let talk = try Self.talk(at: "http://\(address)")
        let error = try #require(
            await #expect(throws: OperationError.self) { _ = try await talk.ask(Self.request, key: Self.key) }
        )
        #expect(error.code == .unavailable)
        #expect(error.message.hasPrefix("Cannot reach the gateway at http://\(address): "))
        #expect(error.message.hasSuffix(". Check console.gateway."))
    }

    @Test("A token that is missing, or could begin another header, is not sent, and not shown")
    func wrongTokenIsNotSent() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("token")
        try "hunter2\r\nX-Evil: yes".write(toFile: file, atomically: true, encoding: .utf8)
        for source in ["file:\(file)", "file:\(file).missing", "env:INTENTD_NO_SUCH_TOKEN"] {
            let taken = Mutex(0)
            try await Self.talking(token: source) { _ in
                taken.withLock { $0 += 1 }
                return Self.json(201, [:])
            } _: { talk in
                let error = try #require(
                    await #expect(throws: OperationError.self) { _ = try await talk.ask(Self.request, key: Self.key) }
                )
                #expect(error.code == .configuration && error.message.hasPrefix("console.gatewayToken: "))
                #expect(!error.message.contains("hunter2"))
            }
            #expect(taken.withLock(\.self) == 0, "\(source)")
        }
    }

    @Test("A process's own gateway is the console's, unless the configuration names one")
    func ownGatewayIsTheDefault() {
        let configuration = Configuration()
        #expect(GatewayClient(configuration.usingGateway(at: nil)) == nil)
        let own = configuration.usingGateway(at: "http://127.0.0.1:8080")
        #expect(own.text(.consoleGateway) == "http://127.0.0.1:8080")
        #expect(own.usingGateway(at: "http://127.0.0.1:1").text(.consoleGateway) == "http://127.0.0.1:8080")
    }
}
