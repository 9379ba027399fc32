import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentRuntime

@Suite("R81d: since when a turn is unfinished")
struct UnfinishedTurnTests {
    private let work = PartitionWork(partition: 0, settings: RuntimeSettings())

    private var firstAttempts: [Int64] { self.work.unfinished.values.map(\.milliseconds).sorted() }

    @Test("A turn that times out and is tried again counts from its first attempt, also while it waits")
    func countsFromFirstAttempt() {
        var turn = StateEntryTests.parked()
        self.work.apply(.parked, user: "u1", StateEntry(turn))
        #expect(self.firstAttempts == [1])
        turn.attempt = 2
        turn.retryAt = Timestamp(milliseconds: 90_000)
        self.work.apply(.parked, user: "u1", StateEntry(turn))
        #expect(self.firstAttempts == [1])
        self.work.apply(.parked, user: "u1", nil)
        #expect(self.firstAttempts.isEmpty)
    }

    @Test("A turn that was restored counts from its first attempt, not from the restart")
    func countsAcrossRestarts() {
        _ = self.work.recordRestored(.parked, user: "u1", StateEntryTests.parked().json.utf8)
        #expect(self.firstAttempts == [1])
    }

    @Test("An interaction that waits for its next attempt counts; one that waits for an operator does not")
    func countsWaits() {
        var interaction = StateEntryTests.interaction()
        interaction.prompt = nil
        func wait(_ reason: HandleWait.Reason) {
            interaction.waiting = HandleWait(
                reason,
                at: Timestamp(milliseconds: 90_000),
                attempts: 3,
                firstTriedAt: Timestamp(milliseconds: 7),
                position: RecordPosition(.confirmed, 0, 1)
            )
            self.work.apply(.interaction("0:1"), user: "u1", StateEntry(interaction))
        }
        wait(.retry)
        #expect(self.firstAttempts == [7])
        wait(.operator)
        #expect(self.firstAttempts.isEmpty)
        wait(.lookup)
        #expect(self.firstAttempts == [7])
        self.work.apply(.interaction("0:1"), user: "u1", nil)
        #expect(self.firstAttempts.isEmpty)
    }
}
