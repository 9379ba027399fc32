import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import IntentScenarios
import Testing

@Suite("Users with similar names")
struct TwinUsersTests {
    static let pairs: [[UserID]] = [
        ["Kim", "\u{212A}im"], ["s\u{E9}an", "se\u{301}an"], ["\u{F3}scar", "o\u{301}scar"],
    ]

    @Test(
        "R8, R14: users with similar names share a partition and nothing else: in memory, evicted to SQLite, and on a broker",
        arguments: [Pipeline.Base.memory, .broker]
    )
    func usersWithSimilarNamesShareNothing(base: Pipeline.Base) async throws {
        let intents = IntentExtension("Twins") { [IntentRegistration(confirmation: .never) { AskingHandler() }] }
        var configuration = Pipeline.Configuration(extensions: [intents])
        configuration.settings.stateMemory = 1
        configuration.settings.stateRetention = .zero
        try await Pipeline.run(on: base, configuration) { pipeline in
            for (number, pair) in Self.pairs.enumerated() {
                let twins = pair.enumerated()
                    .map { index, user in
                        pipeline.client.open(id: InteractionID("twin-\(number)-\(index)"), userID: user)
                    }
                var prompts: [JSONValue] = []
                for twin in twins {
                    let request: JSONValue = ["intent": ["name": "AskingIntent"], "user": ["id": twin.userID.json]]
                    try await twin.send([twin.makeEvent("intent.requested", data: request)])
                    prompts.append(try await twin.next().data["promptId"] ?? .null)
                }
                // The rejection goes to the user of the conversation that the event named.
                let other = pair[1]
                let stolen: JSONValue = ["promptId": prompts[0], "value": "stolen", "user": ["id": other.json]]
                try await twins[0].send([twins[0].makeEvent("prompt.answered", data: stolen, from: other)])
                let rejected = try await twins[0].next()
                #expect(rejected.data["reason"] == "notYours")
                #expect(rejected.userID == other)
                for (index, twin) in twins.enumerated() {
                    let answer: JSONValue = [
                        "promptId": prompts[index], "value": .string("mine \(index)"), "user": ["id": twin.userID.json],
                    ]
                    try await twin.send([twin.makeEvent("prompt.answered", data: answer)])
                    let end = try await twin.next()
                    #expect(end.data["terminal"] == true)
                    #expect(end.userID == twin.userID)
                    #expect(end.data["intent"]?["parameters"]?["text"] == .string("mine \(index)"))
                    twin.close()
                }
            }
        }
    }
}
