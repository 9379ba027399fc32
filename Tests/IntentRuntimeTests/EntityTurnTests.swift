import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentRuntime

@Suite("R71: entities in a conversation", .timeLimit(.minutes(1)))
struct EntityTurnTests {
    private struct Cat: EntityValue {
        static let typeName = "cat"

        var identifier: String?
        var name: String
        var colour: String?

        init(spokenPhrase: String) { self.name = spokenPhrase }

        init(_ identifier: String, _ name: String, _ colour: String) {
            self.identifier = identifier
            self.name = name
            self.colour = colour
        }

        var displayRepresentation: DisplayRepresentation? {
            DisplayRepresentation(
                title: LocalizedText(self.name),
                subtitle: self.colour.map { ["en": $0 == "rot" ? "red" : "grey", "de": $0] }
            )
        }
    }

    private struct FeedIntent: Intent {
        static let intentName = "FeedIntent"

        @Parameter(title: "cat") var cat: Cat?
    }

    private struct FeedHandler: IntentHandler {
        var handling: Handling<FeedIntent> {
            Resolve(\.$cat, among: { _, _ in [Cat("c-1", "Minka", "rot"), Cat("c-2", "Minka", "grau")] })
            Handle { _, _ in IntentResponse(code: .success) }
        }
    }

    @Test("After a decline the other entities are offered; if there are none, a value is asked for")
    func otherEntitiesAreOffered() async throws {
        struct FewHandler: IntentHandler {
            static let cats = [Cat("c-1", "Minka", "rot"), Cat("c-2", "Minka", "grau"), Cat("c-3", "Mo", "rot")]

            var handling: Handling<FeedIntent> {
                Resolve(\.$cat, among: { _, _ in Self.cats })
                Handle { _, _ in IntentResponse(code: .success) }
            }
        }
        let conversation = StillConversation([IntentRegistration(usesLedger: false) { FewHandler() }])
        try await conversation.request("FeedIntent", ["cat": "minka"])
        #expect(conversation.summary == "disambiguation:cat Initial")
        try await conversation.answer(["action": "decline"])
        #expect(conversation.summary == "confirmationRequired:cat Initial")
        #expect(conversation.prompt["item"]?["identifier"] == "c-3")
        try await conversation.answer(["action": "decline"])
        #expect(conversation.summary == "needsValue:cat Initial declined")
    }

    @Test("Entities are offered with their own words, and chosen by any of these")
    func entitiesAreOfferedWithTheirWords() async throws {
        let registrations = [IntentRegistration(usesLedger: false) { FeedHandler() }]
        try await Pipeline.with(registrations) { pipeline in
            for (number, answer) in (["grey", "Minka (grau)", "2", "c-2"] as [JSONValue]).enumerated() {
                let id = InteractionID("i\(number)")
                try await pipeline.request("FeedIntent", ["cat": "minka"], subject: id)
                let choice = try await pipeline.next(of: id)
                #expect(choice.data["kind"] == "disambiguation")
                #expect(
                    choice.data["optionDisplays"] == [
                        ["title": "Minka", "subtitle": "red"], ["title": "Minka", "subtitle": "grey"],
                    ]
                )
                #expect(choice.data["dialog"] == "Which cat do you mean: Minka (red) or Minka (grey)?")
                #expect(choice.data["itemDisplay"] == ["title": "minka"])
                try await pipeline.answer(choice, ["value": answer])
                let end = try await pipeline.end(of: id)
                #expect(end.data["intent"]?["parameters"]?["cat"]?["identifier"] == "c-2", "\(answer)")
            }
            let results = try await pipeline.replayAll(registrations)
            #expect(!results.isEmpty && results.allSatisfy { $0.isMatch })
        }
    }
}
