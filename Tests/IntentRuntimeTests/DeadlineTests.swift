import IntentEvents
import IntentKit
import Testing

@testable import IntentRuntime

@Suite("The deadlines of a state entry (R13)")
struct DeadlineTests {
    private static let names: [StateName] = [.interaction("0:1"), .followed("0:1"), .parked, .known("i1"), .queued(0)]
    private static let texts = [
        #"{"appDeadline":7,"prompt":{"expiresAt":5,"kind":"needsValue"}}"#, #"{"prompt":{"expiresAt":5}}"#,
        #"{"appDeadline":-7}"#, #"{"dueAt":9,"interaction":{"prompt":{"expiresAt":5}}}"#,
        #"{"prompt":{"expiresAt":5.0}}"#,
        #"{"appDeadline":1e3,"dueAt":"9"}"#, #"{"appDeadline":1,"appDeadline":2,"dueAt":3,"dueAt":4}"#,
        #"{"prompt":{"expiresAt":1},"prompt":{}}"#, #"{"app\u0044eadline":9223372036854775807}"#,
        #"{"appDeadline":9223372036854775808}"#, #"{"prompt":[{"expiresAt":5}],"appDeadline":null}"#, "[]", "7", "{}",
        "",
        "{", #"{"dueAt":1} x"#,
    ]

    @Test("are found in any text as in the tree of it", arguments: Self.names, Self.texts)
    func textAndTree(name: StateName, text: String) {
        var tape = JSONTape()
        let entry = StateEntry(text: Array(text.utf8))
        let json = (try? JSONValue(parsing: entry.text)) ?? .null
        var deadlines: [(TimerKind, JSONValue?)] = []
        if name.hasPrefix(StateName.interactions) {
            deadlines = [(.prompt, json["prompt"]?["expiresAt"]), (.app, json["appDeadline"])]
        } else if name.hasPrefix(StateName.followedInteractions) {
            deadlines = [(.status, json["dueAt"])]
        }
        let expected = deadlines.compactMap { kind, deadline in
            deadline?.integer
                .map { PendingTimer(kind: kind, deadline: Timestamp(milliseconds: $0), user: "u1", name: name) }
        }
        #expect(PendingTimer.timers(in: entry, name: name, user: "u1", tape: &tape) == expected)
    }

    @Test("are the same whether a turn has just written it or it was read back")
    func writtenAndReadBack() {
        var tape = JSONTape()
        func check(_ entry: StateEntry, _ name: StateName, _ kinds: [TimerKind]) {
            let known = PendingTimer.timers(in: entry, name: name, user: "u1", tape: &tape)
            #expect(entry.isRead && known.map(\.kind) == kinds)
            #expect(PendingTimer.timers(in: StateEntry(text: entry.text), name: name, user: "u1", tape: &tape) == known)
        }
        var interaction = StateEntryTests.interaction()
        check(StateEntry(interaction), .interaction("0:1"), [.prompt])
        interaction.appDeadline = Timestamp(milliseconds: 9)
        check(StateEntry(interaction), .interaction("0:1"), [.prompt, .app])
        let followed = FollowedInteraction(
            interaction: interaction,
            told: [:],
            dueAt: Timestamp(milliseconds: 7),
            until: Timestamp(milliseconds: 8)
        )
        check(StateEntry(followed), .followed("0:1"), [.status])
        var parked = StateEntryTests.parked()
        check(StateEntry(parked), .parked, [.timeout])
        parked.retryAt = Timestamp(milliseconds: 3)
        check(StateEntry(parked), .parked, [.retry, .timeout])
    }

    @Test("of an open interaction are its prompt's and the app's")
    func interaction() throws {
        var tape = JSONTape()
        let entry = StateEntry(text: Array(#"{"appDeadline":7,"prompt":{"expiresAt":5}}"#.utf8))
        let timers = PendingTimer.timers(in: entry, name: .interaction("0:1"), user: "u1", tape: &tape)
        #expect(timers.map(\.kind) == [.prompt, .app])
        #expect(timers.map(\.deadline.milliseconds) == [5, 7])
    }
}
