import IntentKit
import Testing

@Suite("Versions of apps")
struct AppVersionTests {
    @Test("behaviour 56: versions are compared number by number, older ones first")
    func ordersNumberByNumber() throws {
        let ordered = [
            "0", "0.9", "1.0-alpha", "1.0-alpha.2", "1.0-alpha.10", "1.0-beta", "1", "1.9", "1.10", "1.10.1", "11",
        ]
        let versions = try ordered.map { try #require(AppVersion($0)) }
        #expect(versions == versions.shuffled().sorted())
        for (older, newer) in zip(versions, versions.dropFirst()) { #expect(older < newer) }
    }

    @Test("Trailing zeros and build metadata make no difference")
    func trailingZerosAndBuildsAreEqual() {
        #expect(AppVersion("2") == AppVersion("2.0.0"))
        #expect(AppVersion("2.0") == AppVersion("2+build.7"))
        #expect(Set([AppVersion("2"), AppVersion("2.0")]).count == 1)
        #expect(AppVersion("2.0-beta") != AppVersion("2.0"))
    }

    @Test("Invalid versions are refused", arguments: ["", "v2", "1..2", "1.", "-1", "one", "1,5"])
    func refusesInvalidVersions(text: String) {
        #expect(AppVersion(text) == nil)
    }

    @Test(
        "behaviour 56: which devices have the app",
        arguments: [
            ("1.9", false), ("1.10", true), ("1.10.0", true), ("2", true), (nil, true), ("", true), ("new", false),
        ]
            as [(String?, Bool)]
    )
    func readsVersionFromDevice(version: String?, isNew: Bool) {
        #expect(RequestingDevice(appVersion: version).hasApp(atLeast: "1.10") == isNew)
    }
}
