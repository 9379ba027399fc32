import DeclaredIntents
import Foundation
import IntentKit
import SampleApps
import SiriKitIntents
import Testing

@Suite("Searching the call history")
struct SearchCallHistoryTests {
    private func fixture(maximumResults: Int = 50) throws -> IntentFixture {
        try IntentFixture(CallsExtension.make(maximumResults: maximumResults), "INSearchCallHistoryIntent")
    }

    @Test(
        "behaviour 57: matching calls, the latest first",
        arguments: [
            ([:], [4, 3, 2, 1]),
            (["callTypes": ["missed"]], [4, 3]),
            (["callTypes": ["missed", "received"]], [4, 3, 1]),
            (["callTypes": ["latest"]], [4]),
            (["unseen": false], [2, 1]),
            (["callCapabilities": ["videoCall"]], [4, 1]),
            (["callCapabilities": ["videoCall", "audioCall"], "unseen": true], [4, 3]),
            (["recipient": "Diana"], [2]),
            (["dateCreated": ["start": "2026-11-16", "end": "2026-11-17"]], [3, 2]),
            (["dateCreated": ["end": "2026-11-15T17:59:59Z"]], []),
            (["dateCreated": ["start": "2026-11-18T19:00:00+01:00"]], [4]),
        ] as [(JSONObject, [Int])]
    )
    func findsCallsLatestFirst(parameters: JSONObject, expected: [Int]) async throws {
        let response = try await self.fixture().handle(parameters)
        #expect(response.code == "success")
        let calls = try #require(response.details["callRecords"]?.array)
        #expect(calls.map { $0["identifier"] } == expected.map { "call-\($0)-u1" })
    }

    @Test("behaviour 54: more calls than the response can hold are shown by the app")
    func tooManyCallsContinueInApp() async throws {
        let response = try await self.fixture(maximumResults: 3).handle([:])
        #expect(response.code == "continueInApp")
        let shown = response.userActivity?.userInfo["callRecords"]
        #expect(shown == ["call-4-u1", "call-3-u1", "call-2-u1"])
    }

    @Test("Parameters: people are matched, and a range that ends before it begins is unsupported")
    func resolvesPeopleAndDateRange() async throws {
        let fixture = try self.fixture()
        #expect(try await fixture.resolve("recipient", ["recipient": "jeff"]).first?.options?.count == 2)
        #expect(try await fixture.resolve("recipient", [:]) == [.notRequired], "behaviour 32")
        let backwards: JSONValue = ["start": "2026-11-17", "end": "2026-11-16"]
        #expect(try await fixture.resolve("dateCreated", ["dateCreated": backwards]) == [.unsupported(nil)])
        let day: JSONValue = ["start": "2026-11-17", "end": "2026-11-17"]
        #expect(try await fixture.resolve("dateCreated", ["dateCreated": day]) == [.success(day)])
        #expect(try await fixture.resolve("callTypes", ["callTypes": []]) == [.notRequired])
        #expect(try await fixture.resolve("callTypes", ["callTypes": "missed"]) == [.success(["missed"])])
        #expect(try await fixture.resolve("unseen", ["unseen": true]) == [.success(true)])
    }

    @Test(
        "Each code about the app",
        arguments: [
            ("failureRequiringAppLaunch", \CallLine.hasSession), ("failureAppConfigurationRequired", \.isConfigured),
        ] as [(String, any WritableKeyPath<CallLine, Bool> & Sendable)]
    )
    func reportsStateOfApp(code: String, property: any WritableKeyPath<CallLine, Bool> & Sendable) async throws {
        let fixture = try self.fixture()
        #expect(try await fixture.confirm([:]).code == "ready")
        var line = CallLine()
        line[keyPath: property] = false
        try fixture.change { [line] in try UnicornTalk.set(line, of: "u1", in: $0) }
        #expect(try await fixture.confirm([:]).code == code)
    }

    @Test("failure for unknown people; behaviour 86: no numbers without access to contacts")
    func failsForUnknownPeopleAndHidesNumbers() async throws {
        var fixture = try self.fixture()
        #expect(try await fixture.handle(["recipient": "Nobody"]).code == "failure")
        fixture.user.hasContactsAccess = false
        let calls = try #require(try await fixture.handle([:]).details["callRecords"]?.array)
        #expect(calls.allSatisfy { $0["participants"]?.array?.first?["handle"] == nil })
    }
}
