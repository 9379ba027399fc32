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

    @Test("are the same whether its text is looked through or read", arguments: Self.names, Self.texts)
    func textAndTree(name: StateName, text: String) {
        var tape = JSONTape()
        let bytes = Array(text.utf8)
        let read = (try? JSONValue(parsing: bytes)).map { PendingTimer.timers(of: $0, name: name, user: "u1") } ?? []
        #expect(PendingTimer.timers(in: bytes, name: name, user: "u1", tape: &tape) == read)
    }

    @Test("of an open interaction are its prompt's and the app's")
    func interaction() throws {
        var tape = JSONTape()
        let text = Array(#"{"appDeadline":7,"prompt":{"expiresAt":5}}"#.utf8)
        let timers = PendingTimer.timers(in: text, name: .interaction("0:1"), user: "u1", tape: &tape)
        #expect(timers.map(\.kind) == [.prompt, .app])
        #expect(timers.map(\.deadline.milliseconds) == [5, 7])
    }
}
