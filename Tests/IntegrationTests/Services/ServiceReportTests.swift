import IntentKit
import IntentLab
import Testing

@Suite("R61: a service confirms, handles and reports status")
struct ServiceReportTests {
    private static let snapshot = IntentSnapshot(name: "OrderLemonade", parameters: ["cups": 2])
    private static let full = #"""
        {"code":"failureSoldOut","details":{"price":{"amount":"3","currencyCode":"EUR"},"cups":2},
         "userActivity":{"activityType":"Shop","title":"Sold out","userInfo":{"link":"shop://lemonade"}},
         "requiresUserConfirmation":true,"requiresAuthentication":true,"more":1}
        """#
    private static let activity = UserActivity(
        activityType: "Shop",
        title: "Sold out",
        userInfo: ["link": "shop://lemonade"]
    )

    private static func run(
        _ body: String,
        _ test: (IntentRegistration) async throws -> Void
    ) async throws {
        try await TestHTTPServer.run { _, _ in
            .init(body: body)
        } _: { server in
            let more: JSONObject = [
                "codes": ["failureSoldOut", "handleInApp"], "status": ["every": "PT2S", "for": "PT1H"],
            ]
            try await test(try ServedIntent(server.url(), more).registration)
        }
    }

    @Test("A service can say everything at confirm that a Swift handler can")
    func readsEveryPartOfConfirm() async throws {
        try await Self.run(Self.full) { registration in
            let response = try await registration.confirm(Self.snapshot, BareTurnHost.context())
            #expect(
                response
                    == HandlerResponse(
                        code: "failureSoldOut",
                        details: ["price": ["amount": "3", "currencyCode": "EUR"], "cups": 2],
                        userActivity: Self.activity,
                        requiresUserConfirmation: true,
                        requiresAuthentication: true
                    )
            )
        }
        try await Self.run(#"{"code":"ready","dialog":"Two cups, really?"}"#) { registration in
            let response = try await registration.confirm(Self.snapshot, BareTurnHost.context())
            #expect(response.dialog == "Two cups, really?" && response.details.isEmpty)
        }
        try await Self.run(#"{"code":"ready","details":null}"#) { registration in
            let response = try await registration.confirm(Self.snapshot, BareTurnHost.context())
            #expect(response == HandlerResponse(code: "ready"))
        }
    }

    @Test("A service can say everything at handle that a Swift handler can")
    func readsEveryPartOfHandle() async throws {
        try await Self.run(Self.full) { registration in
            let response = try await registration.handle(Self.snapshot, BareTurnHost.context())
            #expect(response.code == "failureSoldOut" && response.userActivity == Self.activity)
            #expect(response.details["cups"] == 2 && !response.requiresUserConfirmation)
            #expect(registration.codes.isSuperset(of: ["failureSoldOut", "handleInApp", "success", "ready"]))
            #expect(registration.handlerName == "service" && !registration.usesLedger)
        }
    }

    @Test("A service can say everything about status that a Swift handler can")
    func readsEveryPartOfStatus() async throws {
        try await Self.run(#"{"details":{"minutes":4},"isLast":true}"#) { registration in
            #expect(registration.statusUpdates == StatusUpdates(every: .seconds(2), for: .seconds(3_600)))
            let update = try await registration.statusUpdate(Self.snapshot, BareTurnHost.context())
            #expect(update.response.details == ["minutes": 4] && update.isLast)
        }
        try await Self.run("{}") { registration in
            let update = try await registration.statusUpdate(Self.snapshot, BareTurnHost.context())
            #expect(update.response.details.isEmpty && !update.isLast)
        }
        #expect(try ServedIntent("http://127.0.0.1:1").registration.statusUpdates == nil)
    }

    @Test(
        "An invalid report is an error with its path and what would be valid",
        arguments: [
            ("{}", "code is missing; it must be a string that is not empty"),
            (#"{"code":7}"#, "code must be a string that is not empty, not an integer"),
            (
                #"{"code":"failureSoldOt"}"#,
                "code is failureSoldOt, which the intent does not declare; it has failure, failureRequiringAppLaunch, "
                    + "failureSoldOut, handleInApp, inProgress, ready, success"
            ),
            (#"{"code":"success","details":[]}"#, "details must be an object, not an array"),
            (#"{"code":"success","userActivity":"Shop"}"#, "userActivity must be an object, not \"Shop\""),
            (#"{"code":"success","userActivity":{"title":7}}"#, "userActivity.title must be a string, not an integer"),
        ]
    )
    func reportsInvalidReportWithPath(body: String, text: String) async throws {
        try await Self.run(body) { registration in
            for call in [registration.confirm, registration.handle] {
                let failure = await ServedIntent.failure { _ = try await call(Self.snapshot, BareTurnHost.context()) }
                #expect(failure?.text.contains("in the answer \(text)") == true, "\(failure?.text ?? "")")
                #expect(failure?.mayPass == false)
            }
        }
        try await Self.run(#"{"isLast":"yes"}"#) { registration in
            let failure = await ServedIntent.failure {
                _ = try await registration.statusUpdate(Self.snapshot, BareTurnHost.context())
            }
            #expect(failure?.text.hasSuffix("in the answer isLast must be true or false, not \"yes\"") == true)
        }
    }

    @Test("Only handle has a key, the same for each attempt and each redrive; a client's id cannot inject headers")
    func onlyHandleHasStableKey() async throws {
        try await TestHTTPServer.run { _, _ in
            .init(body: #"{"code":"success"}"#)
        } _: { server in
            let registration = try ServedIntent(server.url()).registration
            let first = IdempotencyKeys.request("0:7", deployment: "d")
            for (interaction, keys, attempt) in [
                ("i1", first, 1), ("i1", first, 2), ("i1~2", first, 1), ("i1", .request("0:8", deployment: "d"), 1),
                ("i1", .interaction("a\r\nX: 1"), 1),
            ] {
                let context = BareTurnHost.context(interaction: interaction, keys: keys, attempt: attempt)
                _ = try await registration.handle(Self.snapshot, context)
            }
            _ = try await registration.confirm(Self.snapshot, BareTurnHost.context())
            let keys = server.requests.map { $0.headers["idempotency-key"] }
            let (key, other) = (try #require(keys[0]), try #require(keys[3]))
            #expect(keys == [key, key, key, other, "a%0D%0AX:%201/OrderLemonade/0", nil] && key != other)
            #expect(server.requests.allSatisfy { $0.headers["x"] == nil && $0.method == "POST" })
            #expect(server.requests.map(\.path) == Array(repeating: "/intents/handle", count: 5) + ["/intents/confirm"])
        }
    }

    @Test("Paths of calls are appended to the URL's path, and its query is kept", arguments: ["/a/b", "/a/b/"])
    func callsLieBelowBaseURL(path: String) async throws {
        try await TestHTTPServer.run { _, _ in
            .init(body: #"{"code":"success"}"#)
        } _: { server in
            let registration = try ServedIntent(server.url("\(path)?shop=7")).registration
            _ = try await registration.handle(Self.snapshot, BareTurnHost.context())
            #expect(server.requests.first?.path == "/a/b/handle?shop=7")
        }
    }
}
