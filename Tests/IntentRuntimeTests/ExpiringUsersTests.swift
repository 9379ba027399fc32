import IntentEvents
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
}
