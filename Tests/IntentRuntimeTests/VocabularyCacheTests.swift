import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@Suite("The cache of vocabularies")
struct VocabularyCacheTests {
    private static func text(_ phrases: String..., version: String = "requests/0/1") -> [UInt8] {
        UserVocabulary(version: version, entries: phrases.map { VocabularyEntry(spokenPhrase: $0) }).json.utf8
    }

    @Test("The turn that receives a vocabulary prepares it, before any request asks (behaviours 78, 82)")
    func vocabularyIsPreparedByItsOwnTurn() async throws {
        let environment = try StageEnvironment.tests(.resolve)
        let event = Event(
            id: "e1",
            source: "/tests",
            type: .vocabularyReplaced,
            time: Timestamp(milliseconds: 0),
            userID: "u1",
            data: ["user": ["id": "u1"], "type": "contactName", "strings": ["Celestra"]]
        )
        let stored = event.stored(on: .requests, offset: 7)
        let source = StateTable().source(user: "u1")
        let result = try #require(await Turn.run(TurnInput(stored), in: environment, source: source))
        #expect(environment.vocabularies.count == 1)
        let written = try #require(result.writes["v/contactName"] ?? nil)
        // The state will contain what was prepared: nothing is prepared again.
        let known = environment.vocabularies.vocabulary("v/contactName", user: "u1", text: written.text)
        #expect(known?.version == "requests/0/7")
        #expect(known?.entries.map(\.spokenPhrase) == ["Celestra"])
        #expect(environment.vocabularies.count == 1)
    }

    @Test("A cached entry is valid only for its text, its user and its type")
    func entryHoldsForTextUserAndType() {
        let cache = VocabularyCache()
        func phrases(_ name: StateName, _ user: UserID, _ text: [UInt8]) -> [String]? {
            cache.vocabulary(name, user: user, text: text)?.entries.map(\.spokenPhrase)
        }
        #expect(phrases("v/contactName", "u1", Self.text("a")) == ["a"])
        #expect(phrases("v/contactName", "u1", Self.text("b", version: "requests/0/2")) == ["b"])
        #expect(phrases("v/contactName", "u1", Self.text("a")) == ["a"])
        #expect(phrases("v/contactName", "u2", Self.text("c")) == ["c"])
        #expect(phrases("v/photoTag", "u1", Self.text("d")) == ["d"])
        #expect(phrases("v/photoTag", "u1", Array("{}".utf8)) == nil)
        #expect(phrases("v/photoTag", "u1", Self.text("d")) == ["d"])
    }

    @Test("The cache is bounded however many users there are, and keeps what is used")
    func cacheIsBoundedAndKeepsUsedEntries() {
        let text = Self.text("Celestra", "Diana")
        let cache = VocabularyCache(maximumBytes: text.count * 20)
        for number in 0..<1_000 {
            for user: UserID in ["regular", "u\(number)"] {
                #expect(cache.vocabulary("v/contactName", user: user, text: text)?.entries.count == 2)
            }
            #expect(cache.count <= 23)
        }
    }
}
