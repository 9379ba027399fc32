import IntentEvents
import IntentKit
import Testing

@testable import IntentRuntime

@Suite("R8: users whose known interactions expire")
struct ExpiringUsersTests {
    private static func known(at milliseconds: Int) -> [UInt8] { Array("{\"at\":\(milliseconds)}".utf8) }

    @Test("3,000 users expire in order, once each, while others are added behind them")
    func manyUsersExpireOnce() {
        var users = ExpiringUsers(window: 10)
        for number in 0..<3_000 { users.record(user: UserID("u\(number)"), Self.known(at: number)) }
        var expired: [UserID] = []
        for now in stride(from: 0, through: 4_000, by: 100) {
            while true {
                let due = users.popDue(at: Timestamp(milliseconds: Int64(now)), limit: 64)
                guard !due.isEmpty else { break }
                #expect(due.count <= 64)
                expired += due
            }
            #expect(expired.count == min(3_000, max(0, now - 9)) + (now >= 3_510 ? 1 : 0))
            if now == 2_000 { users.record(user: "late", Self.known(at: 3_500)) }
        }
        #expect(expired == (0..<3_000).map { UserID("u\($0)") } + ["late"])
    }

    @Test("An entry expires when its time is up, not a millisecond earlier or later; the user comes again for the rest")
    func entryExpiresExactlyWhenTimeIsUp() {
        var users = ExpiringUsers(window: 10)
        let table = StateTable()
        for (name, at) in [("i1", 0), ("i2", 5)] {
            let interaction = Interaction.greeting(["name": "Ann"])
            let known = KnownInteraction(interaction, at: Timestamp(milliseconds: Int64(at)), whereabouts: .ended)
            table.set(.known(InteractionID(name)), user: "u1", entry: StateEntry(known))
        }
        users.record(user: "u1", Self.known(at: 0))
        func expired(at now: Int64) -> [StateName] {
            let now = Timestamp(milliseconds: now)
            return users.popDue(at: now, limit: 64).flatMap { users.expired(of: $0, in: table, at: now) }
        }
        #expect(expired(at: 9) == [])
        #expect(expired(at: 10) == [.known("i1")])
        table.set(.known("i1"), user: "u1", nil)
        #expect(expired(at: 14) == [])
        #expect(expired(at: 15) == [.known("i2")])
    }
}
