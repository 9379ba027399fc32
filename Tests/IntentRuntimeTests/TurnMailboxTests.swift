import IntentEvents
import Synchronization
import Testing

@testable import IntentRuntime

@Suite("The mailbox for results of parked turns")
struct TurnMailboxTests {
    @Test("Each delivery and each reminder wakes the lane, which takes all of them once, in order")
    func deliveriesWakeLaneInOrder() {
        let wakes = Mutex(0)
        let mailbox = TurnMailbox { wakes.withLock { $0 += 1 } }
        let tokens = (0..<3).map { _ in mailbox.makeToken() }
        #expect(Set(tokens).count == 3)
        #expect(wakes.withLock(\.self) == 0)
        for (partition, token) in tokens.enumerated() {
            mailbox.deliver(.init(partition: partition, user: "u1", token: token, result: nil))
            #expect(wakes.withLock(\.self) == partition + 1)
        }
        mailbox.remind(.init(partition: 7, user: "u2"))
        #expect(wakes.withLock(\.self) == 4)
        mailbox.wakeLane()
        #expect(wakes.withLock(\.self) == 5)
        TurnAddress(mailbox: mailbox, partition: 8, user: "u3", token: 9).send(.report(fraction: 1, text: nil))
        #expect(wakes.withLock(\.self) == 6)
        let deliveries = mailbox.drain()
        #expect(deliveries.map(\.token) == tokens + [9])
        #expect(deliveries.map(\.note) == [nil, nil, nil, .report(fraction: 1, text: nil)])
        #expect(mailbox.drain().isEmpty)
        #expect(mailbox.drainReminders().map(\.user) == ["u2"])
        #expect(mailbox.drainReminders().isEmpty)
        #expect(wakes.withLock(\.self) == 6)
    }
}
