import Foundation
import IntentKit
import SampleApps
import SiriKitIntents
import Testing

@Suite("The two older intents for calls")
struct OlderCallTests {
    static let both = ["INStartAudioCallIntent", "INStartVideoCallIntent"]

    private func fixture(_ intent: String) throws -> IntentFixture { try IntentFixture(CallsExtension.make(), intent) }

    @Test("behaviours 17, 19 and 26: contacts are resolved, and refused without reasons", arguments: Self.both)
    func resolvesContactsWithoutReasons(intent: String) async throws {
        let fixture = try self.fixture(intent)
        #expect(try await fixture.resolve("contacts", [:]) == [.needsValue])
        #expect(try await fixture.resolve("contacts", ["contacts": ["Diana"]]).first?.value?["identifier"] == "diana")
        #expect(try await fixture.resolve("contacts", ["contacts": ["Jeff"]]).first?.options?.count == 2)
        let none = try await fixture.resolve("contacts", ["contacts": ["Nobody"]])
        #expect(none.map(\.normalized) == [.unsupported(nil)])
        #expect(try await fixture.resolve("contacts", ["contacts": ["*100#"]]) == [.unsupported(nil)])
        let two = try await fixture.resolve("contacts", ["contacts": ["Diana", "Scott"]])
        #expect(two.last == .unsupported(nil))
    }

    @Test("An audio call goes to the named contacts and nowhere else")
    func audioCallGoesToContactsOnly() async throws {
        let fixture = try self.fixture("INStartAudioCallIntent")
        #expect(try await fixture.resolve("destinationType", [:]) == [.success("normal")])
        #expect(try await fixture.resolve("destinationType", ["destinationType": "normal"]) == [.success("normal")])
        #expect(try await fixture.resolve("destinationType", ["destinationType": "redial"]) == [.unsupported(nil)])
    }

    @Test("behaviour 54: the app makes the call", arguments: Self.both)
    func appMakesCall(intent: String) async throws {
        let fixture = try self.fixture(intent)
        let call: JSONObject = ["contacts": ["Diana"]]
        #expect(try await fixture.confirm(call).code == "ready")
        let response = try await fixture.handle(call)
        #expect(response.code == "continueInApp")
        let capability: JSONValue = intent.contains("Video") ? "videoCall" : "audioCall"
        #expect(response.userActivity?.userInfo["callCapability"] == capability)
    }

    @Test("A contact without a number, and one who cannot receive video")
    func refusesContactsThatCannotBeReached() async throws {
        let audio = try self.fixture("INStartAudioCallIntent")
        try audio.change { try AddressBook(of: "u1").add(Contact("Handleless", identifier: "handleless"), in: $0) }
        let call: JSONObject = ["contacts": ["Handleless"]]
        #expect(try await audio.resolve("contacts", call).first?.value != nil)
        #expect(try await audio.confirm(call).code == "failureNoValidNumber")
        let video = try IntentFixture(CallsExtension.make(), "INStartVideoCallIntent", store: audio.store)
        #expect(try await video.confirm(call).code == "failureInvalidNumber")
        #expect(try await video.handle(["contacts": ["Celestra"]]).code == "failureInvalidNumber")
        #expect(try await audio.confirm(["contacts": ["Celestra"]]).code == "ready")
    }

    @Test(
        "Each code about the line; states without a code of their own have the nearest",
        arguments: Self.both,
        [
            ("failureRequiringAppLaunch", \CallLine.isSignedOut, true),
            ("failureRequiringAppLaunch", \.hasSession, false),
            ("failureAppConfigurationRequired", \.isConfigured, false),
            ("failureCallingServiceNotAvailable", \.isInAirplaneMode, true),
            ("failureCallingServiceNotAvailable", \.isServiceAvailable, false),
            ("failureRequiringAppLaunch", \.canHandOff, false),
        ] as [(String, any WritableKeyPath<CallLine, Bool> & Sendable, Bool)]
    )
    func reportsStateOfLine(
        intent: String,
        state: (code: String, property: any WritableKeyPath<CallLine, Bool> & Sendable, value: Bool)
    ) async throws {
        let fixture = try self.fixture(intent)
        var line = CallLine()
        line[keyPath: state.property] = state.value
        try fixture.change { [line] in try UnicornTalk.set(line, of: "u1", in: $0) }
        #expect(try await fixture.confirm(["contacts": ["Diana"]]).code == state.code)
        #expect(try await fixture.handle(["contacts": ["Diana"]]).code == state.code)
    }

    @Test("failureContactNotSupportedByApp, and failure for an unknown contact", arguments: Self.both)
    func failsForUnsupportedAndUnknownContacts(intent: String) async throws {
        let fixture = try self.fixture(intent)
        #expect(try await fixture.confirm(["contacts": ["Ponyboy"]]).code == "failureContactNotSupportedByApp")
        #expect(try await fixture.confirm([:]).code == "failure")
        #expect(try await fixture.handle(["contacts": ["Diana", "Scott"]]).code == "failure")
    }
}
