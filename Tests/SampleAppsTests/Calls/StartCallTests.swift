import Foundation
import IntentKit
import SampleApps
import SiriKitIntents
import Testing

@Suite("Starting a call")
struct StartCallTests {
    let call: JSONObject = [
        "contacts": [["identifier": "diana", "spokenPhrase": "Diana"]], "destinationType": "normal",
        "callCapability": "videoCall", "audioRoute": "speakerphoneAudioRoute",
    ]

    private func fixture(_ intent: String = "INStartCallIntent") throws -> IntentFixture {
        try IntentFixture(CallsExtension.make(), intent)
    }

    private func set(_ fixture: IntentFixture, _ change: (inout CallLine) -> Void) throws {
        var line = CallLine()
        change(&line)
        try fixture.change { [line] in try UnicornTalk.set(line, of: "u1", in: $0) }
    }

    @Test("behaviours 39 and 44: confirm shows whom to call and how, and calls nobody")
    func confirmShowsCallWithoutCalling() async throws {
        let fixture = try self.fixture()
        let response = try await fixture.confirm(self.call)
        #expect(response.code == "ready")
        #expect(response.details["contacts"]?.array?.map { $0["displayName"] } == ["Diana"])
        #expect(response.details["callCapability"] == "videoCall")
        #expect(response.details["audioRoute"] == "speakerphoneAudioRoute")
        #expect(try fixture.store.query("SELECT * FROM calls").count == 4)
    }

    @Test("behaviours 54, 57, 62 and 66: the app makes the call, and the activity tells it whom to call and how")
    func appMakesCallWithActivity() async throws {
        let fixture = try self.fixture()
        let response = try await fixture.handle(self.call)
        #expect(response.code == "continueInApp")
        let activity = try #require(response.userActivity)
        #expect(activity.title == "Call Diana")
        let person = try #require(activity.userInfo["contacts"]?.array?.first)
        #expect(person["handle"]?["value"] == "diana@unicorn.example")
        #expect(activity.userInfo["callCapability"] == "videoCall")
        #expect(activity.userInfo["audioRoute"] == "speakerphoneAudioRoute")
        #expect(activity.userInfo["callRecords"] == ["id-1"])
        #expect(fixture.registration.codes.contains("success") == false, "R10: a call has no success")
    }

    @Test("behaviour 59: the call is in the log, and the next intent sees it")
    func nextIntentSeesCallInLog() async throws {
        var fixture = try self.fixture()
        let scott: JSONValue = ["identifier": "scott", "spokenPhrase": "Scott"]
        #expect(try await fixture.handle(["contacts": .array([scott])]).code == "continueInApp")
        #expect(try await fixture.handle(["contacts": .array([scott])]).code == "continueInApp", "R30: the same turn")
        let rows = try fixture.store.query("SELECT * FROM calls WHERE identifier = 'id-1'")
        #expect(rows.first?["contact"] == "scott" && rows.first?["call_type"] == "outgoing")
        fixture.now += 60
        let redial = try await fixture.resolve("contacts", ["destinationType": "redial"])
        #expect(redial.first?.value?["identifier"] == "scott")
    }

    @Test(
        "Each code about the line, at confirm and at handle",
        arguments: [
            ("failureRequiringInAppAuthentication", \CallLine.isSignedOut, true),
            ("failureRequiringAppLaunch", \.hasSession, false),
            ("failureAppConfigurationRequired", \.isConfigured, false),
            ("failureAirplaneModeEnabled", \.isInAirplaneMode, true),
            ("failureCallingServiceNotAvailable", \.isServiceAvailable, false),
            ("failureUnableToHandOff", \.canHandOff, false),
        ] as [(String, any WritableKeyPath<CallLine, Bool> & Sendable, Bool)]
    )
    func reportsStateOfLine(code: String, property: any WritableKeyPath<CallLine, Bool> & Sendable, value: Bool)
        async throws
    {
        let fixture = try self.fixture()
        try self.set(fixture) { $0[keyPath: property] = value }
        let response = try await fixture.confirm(self.call)
        #expect(response.code == code)
        #expect(response.userActivity?.userInfo["error"] != nil, "behaviour 66")
        #expect(response.userActivity?.userInfo["contacts"] != nil)
        #expect(try await fixture.handle(self.call).code == code)
        #expect(try fixture.store.query("SELECT * FROM calls").count == 4)
    }

    @Test(
        "A current or ringing call blocks the next one until it ends",
        arguments: [(INCallRecordType.inProgress, "failureCallInProgress"), (.ringing, "failureCallRinging")]
    )
    func currentCallBlocksNextOne(type: INCallRecordType, code: String) async throws {
        let fixture = try self.fixture()
        try fixture.change { store in
            let date = OffsetDateTime("2026-11-21T12:29:00Z")
            let call = INCallRecord(identifier: "now", dateCreated: date, callRecordType: type)
            try CallLog.add(call, of: "u1", in: store)
        }
        #expect(try await fixture.confirm(self.call).code == code)
        #expect(try await fixture.handle(self.call).code == code)
        try fixture.change { try CallLog.end("now", of: "u1", as: .received, in: $0) }
        #expect(try await fixture.confirm(self.call).code == "ready")
    }

    @Test("failureContactNotSupportedByApp: Ponyboy cannot be called")
    func refusesUnsupportedContact() async throws {
        let fixture = try self.fixture()
        let ponyboy: JSONObject = ["contacts": [["identifier": "ponyboy"]]]
        #expect(try await fixture.confirm(ponyboy).code == "failureContactNotSupportedByApp")
        #expect(try await fixture.handle(ponyboy).code == "failureContactNotSupportedByApp")
    }

    @Test("userConfirmationRequired: emergencies and calls to several people have to be confirmed (behaviour 45)")
    func emergencyAndGroupCallsNeedConfirmation() async throws {
        let fixture = try self.fixture()
        let emergency = try await fixture.confirm(["destinationType": "emergency"])
        #expect(emergency.code == "userConfirmationRequired")
        #expect(emergency.details["contacts"]?.array?.first?["handle"]?["value"] == "112")
        try self.set(fixture) { $0.takesGroupCalls = true }
        let both: JSONObject = ["contacts": [["identifier": "diana"], ["identifier": "scott"]]]
        #expect(try await fixture.confirm(both).code == "userConfirmationRequired")
        let response = try await fixture.handle(both)
        #expect(response.userActivity?.userInfo["callRecords"] == ["id-1", "id-2"])
    }

    @Test("Voicemail is called by its number")
    func callsVoicemailByNumber() async throws {
        let fixture = try self.fixture()
        let response = try await fixture.handle(["destinationType": "voicemail"])
        #expect(response.code == "continueInApp")
        let handle = response.userActivity?.userInfo["contacts"]?.array?.first?["handle"]
        #expect(handle?["value"] == "+1 555 0199")
    }

    @Test(
        "behaviours 48 and 52: failure without a clear contact",
        arguments: [[:], ["contacts": ["Jeff"]], ["contacts": ["Nobody"]], ["contacts": ["*100#"]]]
            as [JSONObject]
    )
    func failsWithoutClearContact(parameters: JSONObject) async throws {
        let fixture = try self.fixture()
        #expect(try await fixture.confirm(parameters).code == "failure")
        #expect(try await fixture.handle(parameters).code == "failure")
    }

    @Test(
        "R26: a user who is not signed in is asked to sign in",
        arguments: [
            "INStartCallIntent", "INStartAudioCallIntent", "INStartVideoCallIntent", "INSearchCallHistoryIntent",
        ]
    )
    func requiresSignIn(intent: String) async throws {
        var fixture = try self.fixture(intent)
        fixture.user.isAuthenticated = false
        #expect(try await fixture.confirm(self.call).requiresAuthentication)
    }
}
