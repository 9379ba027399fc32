import IntentKit
import Testing

@Suite("Identities of requests and effects, and what goes to the app")
struct ContextValueTests {
    @Test("Two requests match if what is known of both agrees (R30)")
    func requestsMatchAsFarAsKnown() {
        let known = RequestIdentity(name: "n", content: "c")
        let bare = RequestIdentity(name: "n", content: nil)
        #expect(known.matches(known) && known.matches(bare) && bare.matches(known) && bare.matches(bare))
        #expect(!known.matches(RequestIdentity(name: "n", content: "d")))
        #expect(!known.matches(RequestIdentity(name: "m", content: "c")))
        #expect(!bare.matches(RequestIdentity(name: "m", content: nil)))
        for identity in [known, bare, RequestIdentity(name: "n", content: "c.d")] {
            #expect(RequestIdentity(text: identity.text) == identity)
        }
        #expect(known.text == "n.c")
        #expect(bare.text == "n")
    }

    @Test("An effect is identified by its request, its name and its number")
    func effectsDifferByRequestNameAndOrdinal() {
        let key = EffectKey(request: "0:1", name: "book", ordinal: 2)
        // Another request that shares the effects of the first has the same ones.
        let shared = EffectKey(request: "0:9", origin: "0:1", name: "book", ordinal: 2)
        #expect(key == shared && Set([key, shared]).count == 1)
        let others = [
            EffectKey(request: "0:9", name: "book", ordinal: 2), EffectKey(request: "0:1", name: "pay", ordinal: 2),
            EffectKey(request: "0:1", name: "book", ordinal: 3),
        ]
        #expect(Set(others + [key]).count == 4)
    }

    @Test("A user activity is read from an object of its members")
    func readsUserActivityFromObject() {
        let whole = UserActivity(activityType: "t", title: "Title", userInfo: ["a": 1])
        #expect(UserActivity(json: ["activityType": "t", "title": "Title", "userInfo": ["a": 1]]) == whole)
        #expect(UserActivity(json: [:]) == UserActivity())
        #expect(UserActivity(json: "t") == nil)
        #expect(UserActivity(json: .null) == nil)
    }

    @Test("A snapshot of an intent is an object of its name and its values")
    func snapshotIsNameAndParameters() throws {
        let snapshot = IntentSnapshot(name: "X", parameters: ["b": [1, "two"], "a": .null])
        #expect(snapshot.json == ["name": "X", "parameters": ["a": .null, "b": [1, "two"]]])
        #expect(try JSONValue(parsing: snapshot.utf8) == snapshot.json)
        #expect(IntentSnapshot(name: "X").json == ["name": "X", "parameters": [:]])
    }
}
