import IntentEvents
import IntentLab
import IntentRuntime
import Testing

@Suite("R62: health of a lane")
struct LaneHealthTests {
    private static let topicPartition = TopicPartition("intents.requests", 3)
    private let clock = ManualClock()
    private let health: LaneHealth
    private let startedAt: Timestamp

    init() {
        self.startedAt = self.clock.now
        self.health = LaneHealth(role: "resolve", lane: "w-0", clock: self.clock)
    }

    @Test("A lane is ready when it works, with partitions or standing by for them, and neither before nor after")
    func readyOnlyWhileWorkingOrStandingBy() {
        #expect(!self.health.report.isReady)
        self.health.enter(.restoring)
        #expect(!self.health.report.isReady)
        self.health.enter(.working)
        #expect(self.health.report.isReady)
        #expect(self.health.report.description == "is on standby: other lanes have all partitions")
        self.health.recordRound(partitions: 1)
        #expect(self.health.report.description == "is working on 1 partition")
        self.health.enter(.failing("the broker has gone"))
        #expect(!self.health.report.isReady)
        #expect(self.health.report.description == "is restarting after an error: the broker has gone")
        self.health.enter(.standby)
        #expect(self.health.report.isReady)
        self.health.enter(.left)
        #expect(!self.health.report.isReady)
    }

    @Test("A lane is not ready while its reading stalls, and ready again as soon as nothing stalls")
    func stalledLaneIsNotReady() {
        self.health.enter(.working)
        self.health.set(stalled: [Self.topicPartition], notAdvancingSince: [Self.topicPartition: self.clock.uptime])
        #expect(!self.health.report.isReady)
        #expect(self.health.report.description.contains("\(Self.topicPartition)"))
        #expect(self.health.report.notes.isEmpty)
        self.health.set(stalled: [], notAdvancingSince: [:])
        #expect(self.health.report.isReady)
    }

    @Test("A stall is reported from its first seconds, while the lane still counts as ready")
    func reportsStallFromFirstSeconds() {
        // No time is the clock's first one, which is also what a time is before it is set.
        self.clock.advance(by: .seconds(7))
        self.health.enter(.working)
        self.health.recordRound(partitions: 1)
        #expect(self.health.report.notes.isEmpty)
        let began = self.clock.uptime
        self.health.set(stalled: [], notAdvancingSince: [Self.topicPartition: began])
        self.health.set(parked: 2, since: began)
        self.health.recordDeadLetters(["malformed", "tooLarge"])
        self.health.recordDeadLetters([])
        self.clock.advance(by: .seconds(4))
        let report = self.health.report
        #expect(report.isReady)
        #expect(report.longestStall == .seconds(4))
        #expect(report.longestParked == .seconds(4))
        #expect(report.sinceLastRound == .seconds(4))
        #expect(
            report.notes == [
                "has not advanced in \(Self.topicPartition) for 4 s although there are more records",
                "has made no progress in its loop for 4 s",
                "2 turns are parked, the longest for 4 s",
                "2 dead letters since \(self.startedAt), the last 4 s ago: tooLarge",
            ]
        )
        // A lane that restarts has no parked turns; its dead letters remain.
        self.health.enter(.failing("the broker has gone"))
        #expect(
            self.health.report.notes == ["2 dead letters since \(self.startedAt), the last 4 s ago: tooLarge"]
        )
        #expect(self.health.report.longestStall == .zero)
        #expect(self.health.report.longestParked == .zero)
    }

    @Test("Of several partitions in which reading stays, the longest stay counts")
    func longestStall() {
        #expect(self.health.report.longestStall == .zero)
        self.health.enter(.working)
        let began = self.clock.uptime
        let notAdvancingSince = [0, 3, 1].enumerated()
            .map { (TopicPartition("intents.requests", $0), began + .seconds($1)) }
        self.health.set(stalled: [], notAdvancingSince: Dictionary(uniqueKeysWithValues: notAdvancingSince))
        self.clock.advance(by: .seconds(10))
        #expect(self.health.report.longestStall == .seconds(10))
    }

    @Test(
        "A round's time counts from when the lane entered its phase, whichever that is; a lane that has left has none",
        arguments: [
            LaneHealth.Phase.joining, .restoring, .working, .standby, .failing("the broker has gone"), .left,
        ]
    )
    func rounds(phase: LaneHealth.Phase) {
        self.clock.advance(by: .seconds(60))
        self.health.enter(phase)
        self.clock.advance(by: .seconds(4))
        #expect(self.health.report.sinceLastRound == (phase == .left ? .zero : .seconds(4)))
        self.health.recordRound(partitions: 1)
        #expect(self.health.report.sinceLastRound == .zero)
    }
}
