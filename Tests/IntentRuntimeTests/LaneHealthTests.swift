import IntentEvents
import IntentLab
import IntentRuntime
import Testing

@Suite("R62: how a lane is doing")
struct LaneHealthTests {
    private static let place = TopicPartition("intents.requests", 3)
    private let health = LaneHealth(role: "resolve", lane: "w-0", clock: ShiftedClock())

    @Test("It is ready when it works, with partitions or standing by for those that have them, and not before or after")
    func phases() {
        #expect(!self.health.report.isReady)
        self.health.enter(.restoring)
        #expect(!self.health.report.isReady)
        self.health.enter(.working)
        #expect(self.health.report.isReady)
        #expect(self.health.report.words == "stands by: others have all partitions")
        self.health.noteRound(partitions: 1)
        #expect(self.health.report.words == "works on 1 partition")
        self.health.enter(.failing("the broker has gone"))
        #expect(!self.health.report.isReady)
        #expect(self.health.report.words == "begins anew after an error: the broker has gone")
        self.health.enter(.standingBy)
        #expect(self.health.report.isReady)
        self.health.enter(.left)
        #expect(!self.health.report.isReady)
    }

    @Test("It is not ready while reading stands, and ready again with no word but that nothing stands any more")
    func standing() {
        self.health.enter(.working)
        self.health.set(standing: [Self.place])
        #expect(!self.health.report.isReady)
        #expect(self.health.report.words.contains("\(Self.place)"))
        self.health.set(standing: [])
        #expect(self.health.report.isReady)
    }
}
