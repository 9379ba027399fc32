import Foundation
import IntentKit
import SampleApps
import SiriKitIntents
import Testing

@Suite("The Hairdressers app")
struct HairdressersTests {
    private func fixture(requiresGroup: Bool = false) throws -> IntentFixture {
        try IntentFixture(HairdressersExtension.make(requiresGroup: requiresGroup), "INSendMessageIntent")
    }

    @Test(
        "R15: the chosen app sends messages, and everything else stays",
        arguments: SampleMessagesApp.allCases
    )
    func settingChoosesMessagingApp(app: SampleMessagesApp) throws {
        let registry = try IntentRegistry(IntentExtension.sampleApps(messages: app))
        #expect(registry["INSendMessageIntent"]?.extensionName == app.rawValue)
        #expect(registry["INSearchForMessagesIntent"]?.extensionName == "UnicornChat")
        let usual = try IntentRegistry(IntentExtension.sampleApps())
        #expect(registry.intentNames == usual.intentNames)
        #expect(usual["INSendMessageIntent"]?.extensionName == "UnicornChat")
    }

    @Test("behaviour 27: without a match a value is asked for, for hairdressers and for groups")
    func asksAgainWithoutMatch() async throws {
        let fixture = try self.fixture()
        #expect(try await fixture.resolve("recipients", ["recipients": ["Sweeney Todd"]]) == [.needsValue])
        #expect(try await fixture.resolve("speakableGroupName", ["speakableGroupName": "pirates"]) == [.needsValue])
    }

    @Test(
        "behaviours 24, 28 and 33: one result for each hairdresser; two Jeffs are a choice; without any a needsValue"
    )
    func resolvesEachHairdresser() async throws {
        let fixture = try self.fixture()
        let outcomes = try await fixture.resolve("recipients", ["recipients": ["Mia", "jeff", "Anna Black"]])
        #expect(outcomes.first?.value?["displayName"] == "Mia White")
        let jeffs = try #require(outcomes[1].options)
        #expect(jeffs.map { $0["displayName"] } == ["Jeff Brown", "Jeff Green"])
        #expect(outcomes[2].value?["displayName"] == "Anna Black")
        #expect(try await fixture.resolve("recipients", ["recipients": .array([jeffs[1]])]) == [.success(jeffs[1])])
        #expect(try await fixture.resolve("recipients", [:]) == [.needsValue])
    }

    @Test(
        "behaviour 31: a group is found by any part of its name",
        arguments: [("neigh", "neighbors"), ("WORK", "coworkers"), ("devel", "developers")]
    )
    func findsGroupByPartOfName(said: String, expected: String) async throws {
        let outcomes = try await self.fixture().resolve("speakableGroupName", ["speakableGroupName": .string(said)])
        #expect(outcomes == [.success(["spokenPhrase": .string(expected)])])
        let several = try await self.fixture().resolve("speakableGroupName", ["speakableGroupName": "ers"])
        #expect(several.first?.options?.count == 2)
    }

    @Test("behaviour 32: a group may be omitted, unless the app requires one")
    func groupIsOptionalUnlessRequired() async throws {
        #expect(try await self.fixture().resolve("speakableGroupName", [:]) == [.notRequired])
        #expect(try await self.fixture(requiresGroup: true).resolve("speakableGroupName", [:]) == [.needsValue])
    }

    @Test("behaviour 47: without a confirm method confirm passes")
    func missingConfirmPasses() async throws {
        #expect(try await self.fixture().confirm([:]).code == "ready")
    }

    @Test("behaviours 49, 53 and 59: one message is stored for each hairdresser, with time, name and content")
    func storesOneMessagePerHairdresser() async throws {
        let fixture = try self.fixture()
        let response = try await fixture.handle(["recipients": ["Mia White", "Anna Black"], "content": "Tuesday?"])
        #expect(response.code == "success")
        let rows = try fixture.store.query("SELECT * FROM hairdresser_messages ORDER BY identifier")
        #expect(rows.map { $0["hairdresser"] } == ["Mia White", "Anna Black"])
        #expect(rows.allSatisfy { $0["content"] == "Tuesday?" && $0["created_at"] == "2026-11-21T12:30:00.000Z" })
    }

    @Test("behaviour 52: without hairdressers or content it fails", arguments: ["recipients", "content"])
    func failsWithoutHairdresserOrContent(parameter: String) async throws {
        var message: JSONObject = ["recipients": ["Mia White"], "content": "Tuesday?"]
        message[parameter] = nil
        let fixture = try self.fixture()
        #expect(try await fixture.handle(message).code == "failure")
        #expect(try fixture.store.query("SELECT * FROM hairdresser_messages").isEmpty)
    }

    @Test("R15: an intent has one handler: the two messaging apps cannot share a registry")
    func messagingAppsCannotShareRegistry() throws {
        #expect(throws: IntentRegistry.ConfigurationError.self) {
            try IntentRegistry([MessagesExtension.make(), HairdressersExtension.make()])
        }
        #expect(try IntentRegistry([HairdressersExtension.make()]).intentNames == ["INSendMessageIntent"])
    }
}
