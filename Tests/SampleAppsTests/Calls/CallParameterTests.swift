import Foundation
import IntentKit
import SampleApps
import SiriKitIntents
import Testing

@Suite("Other parameters of a call")
struct CallParameterTests {
    private func fixture() throws -> IntentFixture { try IntentFixture(CallsExtension.make(), "INStartCallIntent") }

    private func set(_ fixture: IntentFixture, _ change: (inout CallLine) -> Void) throws {
        var line = CallLine()
        change(&line)
        try fixture.change { [line] in try UnicornTalk.set(line, of: "u1", in: $0) }
    }

    @Test(
        "behaviours 16 and 36: a call is returned only on request; the latest missed ones come first"
    )
    func offersMissedCallsForCallBack() async throws {
        let fixture = try self.fixture()
        #expect(try await fixture.resolve("callRecordToCallBack", ["contacts": ["Diana"]]) == [.notRequired])
        let outcome = try await fixture.resolve("callRecordToCallBack", ["destinationType": "callBack"]).first
        let options = try #require(outcome?.options)
        #expect(options.map { $0["identifier"] } == ["call-4-u1", "call-3-u1"])
        #expect(options.map { $0["name"] } == ["Scott", "Jeff Mane"])
        let picked: JSONObject = ["callRecordToCallBack": options[1], "destinationType": "callBack"]
        #expect(try await fixture.resolve("callRecordToCallBack", picked) == [.success(options[1])])
        let contacts = try await fixture.resolve("contacts", picked)
        #expect(contacts.first?.value?["identifier"] == "jeff-mane", "whom to call follows from the call")
        #expect(try await fixture.resolve("callCapability", picked) == [.success("audioCall")])
    }

    @Test(
        "The call that a filter selects",
        arguments: [
            (["callTypes": ["missed", "latest"]], "call-4-u1"),
            (["callTypes": "received"], "call-1-u1"),
            (["participants": ["Diana"]], "call-2-u1"),
            (["callCapability": "videoCall", "callTypes": ["missed"]], "call-4-u1"),
            (["participants": ["jeff mane"], "callTypes": ["missed", "received"]], "call-3-u1"),
        ] as [(JSONValue, String)]
    )
    func filterSelectsCallToReturn(filter: JSONValue, expected: String) async throws {
        let outcomes = try await self.fixture().resolve("callRecordToCallBack", ["callRecordFilter": filter])
        #expect(outcomes.first?.value?["identifier"] == .string(expected))
    }

    @Test("The only reason why a call cannot be returned: none matches", arguments: ["voicemail", "onHold"])
    func refusesWhenNoCallMatches(type: String) async throws {

        let fixture = try self.fixture()
        let filter: JSONValue = ["callTypes": [.string(type)]]
        let outcomes = try await fixture.resolve("callRecordToCallBack", ["callRecordFilter": filter])
        #expect(outcomes == [.refused(INStartCallCallRecordToCallBackUnsupportedReason.noMatchingCall)])
        let stranger: JSONValue = ["participants": ["Nobody"]]
        let other = try await fixture.resolve("callRecordToCallBack", ["callRecordFilter": stranger])
        #expect(other == [.refused(INStartCallCallRecordToCallBackUnsupportedReason.noMatchingCall)])
    }

    @Test("A missing destination follows from the other parameters; voicemail has to exist")
    func destinationFollowsFromOtherParameters() async throws {
        let fixture = try self.fixture()
        #expect(try await fixture.resolve("destinationType", [:]) == [.success("normal")])
        #expect(try await fixture.resolve("destinationType", ["destinationType": "unknown"]) == [.success("normal")])
        let old = try await fixture.resolve("destinationType", ["destinationType": "redialDestination"])
        #expect(old == [.success("redial")])
        let filter: JSONObject = ["callRecordFilter": ["callTypes": ["missed"]]]
        #expect(try await fixture.resolve("destinationType", filter) == [.success("callBack")])
        let voicemail: JSONObject = ["destinationType": "voicemail"]
        #expect(try await fixture.resolve("destinationType", voicemail) == [.success("voicemail")])
        try self.set(fixture) { $0.voicemailNumber = nil }
        #expect(try await fixture.resolve("destinationType", voicemail) == [.unsupported(nil)])
    }

    @Test("Each reason for refusing a kind of call (behaviour 21: it depends on who is called)")
    func refusesCapabilityWithItsReason() async throws {

        let fixture = try self.fixture()
        func outcome(_ contact: String, _ capability: String?) async throws -> ResolutionOutcome? {
            var parameters: JSONObject = ["contacts": [["identifier": .string(contact)]]]
            parameters["callCapability"] = capability.map(JSONValue.string)
            return try await fixture.resolve("callCapability", parameters).first
        }
        #expect(try await outcome("diana", nil) == .success("audioCall"))
        #expect(try await outcome("diana", "videoCall") == .success("videoCall"))
        #expect(
            try await outcome("celestra", "videoCall")
                == .refused(INStartCallCallCapabilityUnsupportedReason.videoCallUnsupported)
        )
        let emergency: JSONObject = ["destinationType": "emergency", "callCapability": "videoCall"]
        #expect(
            try await fixture.resolve("callCapability", emergency) == [
                .refused(INStartCallCallCapabilityUnsupportedReason.videoCallUnsupported)
            ]
        )
        try self.set(fixture) { $0.hasCamera = false }
        #expect(
            try await outcome("diana", "videoCall")
                == .refused(INStartCallCallCapabilityUnsupportedReason.cameraNotAccessible)
        )
        #expect(try await outcome("diana", "audioCall") == .success("audioCall"))
        try self.set(fixture) { $0.hasMicrophone = false }
        #expect(
            try await outcome("diana", "audioCall")
                == .refused(INStartCallCallCapabilityUnsupportedReason.microphoneNotAccessible)
        )
        let parameter = try #require(fixture.registration.parameters.first { $0.name == "callCapability" })
        #expect(parameter.dependsOn == ["contacts"])
    }
}
