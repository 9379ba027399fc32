import IntentKit
import SiriKitIntents
import Testing

@Suite("Wire forms of SiriKit's values")
struct ValueFormTests {
    private static func isKept<Value: ParameterValue & Equatable>(_ value: Value) -> Bool {
        Value(json: value.json) == value
    }

    @Test("A ride's vehicle is an object")
    func vehicleIsAnObject() {
        #expect(Self.isKept(INRideVehicle(registrationPlate: "B-XY 1", manufacturer: "M", model: "3")))
        #expect(Self.isKept(INRideVehicle(location: Placemark(name: "Home", latitude: 52.5, longitude: 13.4))))
        #expect(INRideVehicle(json: "B-XY 1") == nil)
        #expect(INRideVehicle(json: []) == nil)
        #expect(INRideVehicle(json: [:]) == INRideVehicle())
    }

    @Test("A filter of calls is an object in which each member has its type")
    func callFilterMembersHaveTypes() {
        #expect(Self.isKept(INCallRecordFilter(participants: [INPerson(displayName: "Kim")])))
        #expect(Self.isKept(INCallRecordFilter(callTypes: .missed, callCapability: .videoCall)))
        #expect(INCallRecordFilter(json: [:]) == INCallRecordFilter())
        #expect(INCallRecordFilter(json: "missed") == nil)
        for name in ["participants", "callTypes", "callCapability"] {
            #expect(INCallRecordFilter(json: [name: 7]) == nil, "\(name)")
        }
    }

    @Test("An attachment names the URL of its file, or its identifier")
    func attachmentNamesFileOrIdentifier() {
        #expect(Self.isKept(INSendMessageAttachment(name: "n", type: "t", url: "file:///a", identifier: "1")))
        #expect(Self.isKept(INSendMessageAttachment(url: "file:///a")))
        #expect(Self.isKept(INSendMessageAttachment(identifier: "1")))
        #expect(INSendMessageAttachment(json: ["name": "n"]) == nil)
        #expect(INSendMessageAttachment(json: ["url": " ", "identifier": ""]) == nil)
        #expect(INSendMessageAttachment(json: ["url": "file:///a", "identifier": ""])?.url == "file:///a")
        #expect(INSendMessageAttachment(json: "file:///a") == nil)
        #expect(INSendMessageAttachment(type: "com.apple.m4a-audio").isAudio)
        #expect(INSendMessageAttachment(url: "a").isAudio)
        #expect(!INSendMessageAttachment(type: "public.png").isAudio)
    }
}
