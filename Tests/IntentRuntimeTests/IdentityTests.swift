import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentRuntime

@Suite("Identities are bytes: similar names are different")
struct IdentityTests {
    /// Pairs that `String` treats as equal, and that share a home partition of eight.
    static let pairs: [[UserID]] = [
        ["Kim", "\u{212A}im"], ["s\u{E9}an", "se\u{301}an"], ["\u{F3}scar", "o\u{301}scar"],
    ]

    @Test("Equality, hash and order compare bytes", arguments: Self.pairs)
    func comparesIdentitiesByBytes(pair: [UserID]) {
        #expect(pair[0].text == pair[1].text)
        #expect(pair[0] != pair[1])
        #expect(Set(pair).count == 2)
        let bytes = pair.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
        #expect(pair.sorted().map { Array($0.utf8) } == bytes)
        #expect((pair[0] < pair[1]) != (pair[1] < pair[0]))
        let text = pair[0].text
        #expect(UserID(text) == UserID(text + ""))
        #expect(!(UserID(text) < UserID(text)))
        #expect(UserID(text) < UserID(text + "x"))
        #expect(UserID("") < UserID(text))
    }

    @Test("A state name's family and a prompt's id are found in bytes, whatever surrounds the slashes")
    func findsPartsOfStateNamesInBytes() throws {
        let accent: InteractionID = "\u{301}x"
        #expect(StateName.known(accent).family == StateName.knownInteractions)
        let table = StateTable()
        table.set(.known(accent), user: "u", [1])
        #expect(table.names(prefix: StateName.knownInteractions, user: "u") == [.known(accent)])
        for id: InteractionID in [accent, "a/\u{301}b", "ends with \u{600}", "a/b"] {
            let prompt = PromptID(interaction: id, stage: .confirm, number: 7)
            #expect(PromptID(prompt.description) == prompt)
        }
        for user: UserID in ["a/b", "a/\u{301}b", "%2F", "%\u{301}", "100%", "s\u{E9}an", "se\u{301}an"] {
            let key = StateKey(stage: .resolve, user: user, name: .known(accent))
            #expect(StateKey(key.bytes) == key)
        }
    }

    @Test("An answer of one to the other's prompt is notYours, and each has their own state", arguments: Self.pairs)
    func similarUsersAreApart(pair: [UserID]) async throws {
        try await Pipeline.with([IntentRegistration { GreetHandler() }], partitions: 8) { pipeline in
            let homes = Set(pair.map { HomePartition.of(user: $0, count: 8) })
            #expect(homes.count == 1, "the pair is of no use: it does not share a lane")
            for (number, user) in pair.enumerated() {
                try await pipeline.request("GreetIntent", user: user, subject: "i-\(number)")
            }
            let prompts = [try await pipeline.next(of: "i-0"), try await pipeline.next(of: "i-1")]
            #expect(prompts.map(\.userID) == pair)
            try await pipeline.answer(prompts[0], user: pair[1], ["value": "Stolen"])
            let rejected = try await pipeline.next { $0.type == "event.rejected" }
            #expect(rejected.data["reason"] == "notYours")
            #expect(rejected.userID == pair[1])
            // One user's data is removed under that user's own key; the other's stays, also after a restart.
            try await pipeline.answer(prompts[0], user: pair[0], ["value": "Jeff"])
            #expect(try await pipeline.end(of: "i-0").data["endReason"] == "nominal")
            await pipeline.restartWorkers()
            try await pipeline.answer(prompts[1], user: pair[0], ["value": "Stolen"])
            #expect(try await pipeline.next { $0.type == "event.rejected" }.data["reason"] == "notYours")
            try await pipeline.answer(prompts[1], user: pair[1], ["value": "Diana"])
            let end = try await pipeline.end(of: "i-1")
            #expect(end.data["endReason"] == "nominal")
            #expect(end.data["intent"]?["parameters"]?["name"] == "Diana")
        }
    }

    @Test("A tombstone under one form leaves the entry of the other", arguments: Self.pairs)
    func tombstoneLeavesSimilarEntry(pair: [UserID]) {
        let table = StateTable()
        for user in pair { table.set(.parked, user: user, Array(user.utf8)) }
        table.set(.parked, user: pair[0], nil)
        #expect(table.value(.parked, user: pair[0]) == nil)
        #expect(table.value(.parked, user: pair[1]) == Array(pair[1].utf8))
        let cache = VocabularyCache()
        let text = JSONValue.object(["version": "requests/0/1", "strings": ["Celestra"]]).utf8
        for user in pair { _ = cache.vocabulary("v/contactName", user: user, text: text) }
        #expect(cache.count == 2)
    }

    @Test("Interactions of one user whose ids look alike are two")
    func similarInteractionIDsAreTwo() async throws {
        try await Pipeline.with([IntentRegistration { GreetHandler() }]) { pipeline in
            try await pipeline.request("GreetIntent", subject: "caf\u{E9}")
            let first = try await pipeline.next(of: "caf\u{E9}")
            try await pipeline.request("GreetIntent", subject: "cafe\u{301}")
            let second = try await pipeline.next(of: "cafe\u{301}")
            #expect(first.data["promptId"]?.string == second.data["promptId"]?.string, "alike, as String sees it")
            try await pipeline.answer(second, ["value": "Diana"])
            #expect(try await pipeline.end(of: "cafe\u{301}").data["intent"]?["parameters"]?["name"] == "Diana")
            try await pipeline.answer(first, ["value": "Jeff"])
            #expect(try await pipeline.end(of: "caf\u{E9}").data["intent"]?["parameters"]?["name"] == "Jeff")
        }
    }
}
