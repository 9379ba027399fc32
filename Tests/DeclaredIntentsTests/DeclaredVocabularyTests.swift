import DeclaredIntents
import IntentKit
import IntentLab
import Testing

@Suite("R25: declared parameters use vocabularies")
struct DeclaredVocabularyTests {
    private func resolve(
        _ parameter: JSONObject,
        _ value: JSONValue,
        own: [VocabularyEntry] = [],
        shared: [VocabularyTerm] = [],
        user: RequestingUser = RequestingUser(id: "u1")
    ) async throws -> ResolutionOutcome? {
        var parameter = parameter
        parameter["name"] = "p"
        let registration = try DeclaredFixture(parameters: [.object(parameter)]).registration
        let vocabulary = GlobalVocabulary(locale: "en", digest: "d", terms: ["Test.p": shared])
        let host = BareTurnHost { query in
            let own = query.type == .contactName ? UserVocabulary(version: "test", entries: own) : nil
            return VocabularyAnswer(query, user: own, global: GlobalVocabularies([vocabulary])).matches
        }
        let intent = IntentSnapshot(name: "Test", parameters: ["p": value])
        guard case .single(let outcome)? = try await registration.resolve("p", intent, host.context(user: user))
        else { return nil }
        return outcome
    }

    @Test("A synonym matches after the value's own spelling and before similar spellings")
    func matchesSynonymsBeforeSimilarValues() async throws {
        let parameter: JSONObject = ["type": "string", "values": ["Seaside Grill", "Old Mill", "Fishery"]]
        let shared = [
            VocabularyTerm(identifier: "Seaside Grill", phrases: [.init("the fish place"), .init("fishery")]),
            VocabularyTerm(identifier: "gone", phrases: [.init("the fish place")]),
        ]
        #expect(try await self.resolve(parameter, "The fish place", shared: shared) == .success("Seaside Grill"))
        #expect(try await self.resolve(parameter, "fishery", shared: shared) == .success("Fishery"))
        #expect(try await self.resolve(parameter, "Old Mil", shared: shared) == .disambiguation(["Old Mill"]))
        #expect(try await self.resolve(parameter, "pizza", shared: shared) == .refused(.notAmongValues))
    }

    @Test("A person is found among the user's contacts by any name, and keeps the words that were said")
    func matchesPersonByAnyName() async throws {
        let parameter: JSONObject = ["type": "person", "vocabulary": "contactName"]
        let own = [
            VocabularyEntry(spokenPhrase: "Siobhán", pronunciationHint: "shiv awn", vocabularyIdentifier: "c7"),
            VocabularyEntry(spokenPhrase: "Jeff", vocabularyIdentifier: "j1"),
            VocabularyEntry(spokenPhrase: "Jeff", vocabularyIdentifier: "j2"),
        ]
        #expect(
            try await self.resolve(parameter, "Shiv Awn", own: own)
                == .success(["spokenPhrase": "Shiv Awn", "displayName": "Siobhán", "identifier": "c7"])
        )
        guard case .disambiguation(let options)? = try await self.resolve(parameter, "jeff", own: own) else {
            Issue.record("There are two of them.")
            return
        }
        #expect(options.map { $0.value["identifier"] } == ["j1", "j2"])
        let second = options[1].value
        #expect(try await self.resolve(parameter, second, own: own) == .success(second))
        #expect(try await self.resolve(parameter, "Nobody", own: own) == .success(["spokenPhrase": "Nobody"]))
    }

    @Test("R25: without access to contacts a person keeps only the words that were said")
    func keepsSpokenWordsWithoutContactsAccess() async throws {
        let user = RequestingUser(id: "u1", hasContactsAccess: false)
        let person: JSONValue = ["spokenPhrase": "Anna", "displayName": "Anna B.", "handle": ["value": "a@b.c"]]
        #expect(
            try await self.resolve(["type": "person"], person, user: user) == .success(["spokenPhrase": "Anna"])
        )
        #expect(try await self.resolve(["type": "person"], ["displayName": "Anna"], user: user) == .needsValue)
    }

    @Test(
        "A text becomes the entity's identifier; if several share it, they are offered, unless it is the exact name of one"
    )
    func resolvesTextToEntityIdentifier() async throws {
        let parameter: JSONObject = ["type": "string", "vocabulary": "global", "pattern": "[a-z-]+"]
        let shared = [
            VocabularyTerm(
                identifier: "ultimate-run",
                phrases: [.init("Ultimate Run"), .init("big run"), .init("hill run")]
            ),
            VocabularyTerm(identifier: "hill-run", phrases: [.init("Hill Run"), .init("big run")]),
        ]
        #expect(try await self.resolve(parameter, "ULTIMATE RUN", shared: shared) == .success("ultimate-run"))
        #expect(try await self.resolve(parameter, "hill run", shared: shared) == .success("hill-run"))
        #expect(
            try await self.resolve(parameter, "big run", shared: shared)
                == .disambiguation(["Ultimate Run", "Hill Run"])
        )
        #expect(try await self.resolve(parameter, "No Run", shared: shared) == .refused(.patternMismatch))
    }

    @Test("An unknown vocabulary, or one for a number, is a problem with its path")
    func reportsInvalidVocabularyKinds() {
        let file = DefinitionFile([
            "name": "A",
            "parameters": [
                ["name": "p", "type": "string", "vocabulary": "contacts"],
                ["name": "q", "type": "integer", "vocabulary": "global"],
            ],
        ])
        #expect(file.problems.map { "\($0.path)" } == ["parameters[0].vocabulary", "parameters[1].vocabulary"])
        #expect(file.problems.first?.message.hasPrefix("contacts is not one of global, contactName") == true)
    }
}
