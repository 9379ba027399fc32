import InMemoryLog
import IntentAudit
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Synchronization
import Testing

@Suite("Replaying ranges of the topics")
struct ReplayTests {
    @Test(
        "R42, R45: a run with killed workers, parked turns, retries and timers replays to the same bytes and the same rows"
    )
    func replaysRunWithKills() async throws {
        var settings = RuntimeSettings()
        // Turns that are not done when the batch first checks are parked: many are.
        settings.parkAfter = .zero
        settings.inProgressAfter = .milliseconds(20)
        // Long enough for the other turns' retries on a busy machine; one turn never ends by itself.
        settings.handlerTimeout = .seconds(10)
        let gate = Gate()
        let registrations = [IntentRegistration(confirmation: .always) { TransferHandler(gate: gate) }]
        let directory = try TemporaryDirectory()
        let records = directory.file("records.sqlite")
        let pipeline = try await Pipeline.run(registrations, settings: settings, records: records) { pipeline in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, recipient) in ["bob", "passes", "stays", "refused", "slow", "never", nil].enumerated() {
                    for round in 0..<(recipient == "never" ? 1 : 4) {
                        group.addTask {
                            let id: InteractionID = "\(recipient ?? "asked")-\(round)"
                            try await pipeline.transfer(id, user: "u\((index + round) % 7)", recipient: recipient) {
                                data in
                                if data["status"] == "inProgress", recipient == "slow" { gate.open() }
                                let stage = Stage.allCases[(index + round) % 3]
                                let name = stage.group(prefix: "intents")
                                switch (index + round) % 5 {
                                case 0: pipeline.memory.inject(.outcomeUnknown(applied: round % 2 == 0))
                                case 1: pipeline.memory.expel(name)
                                case 2: pipeline.memory.fence(lane: "worker-0", of: name)
                                case 3: pipeline.memory.expel("intents.record")
                                default: break
                                }
                            }
                        }
                    }
                }
                // Nobody answers this one: its prompt's timer ends it.
                try await pipeline.expire("silent", user: "silent")
                try await group.waitForAll()
            }
        }
        let report = try await pipeline.replay(registrations, settings: settings)
        #expect(report.isMatched, "\(report.verdicts.prefix(3))")
        #expect(report.turns > 100)
        let turns = try await pipeline.records(of: .journal)
            .compactMap(TurnRecord.init)
        #expect(turns.contains { $0.isParkingNote })
        #expect(turns.contains { $0.generation > 0 })
        #expect(turns.contains { $0.attempt > 1 })
        #expect(turns.contains { $0.eventType == "timer.fired" && $0.outcome == .ended })
        // As far as the recorder had got: it was stopped like everything else.
        let audit = try await pipeline.verify(records: records)
        #expect(audit.isSound, "\(audit.findings.prefix(3))")
        #expect(audit.rows > 100)
    }

    /// The things on which a handler must not depend.
    enum Hidden: CaseIterable {
        case clock
        case dice
        case order

        /// A dictionary's order depends on its place in memory: no place is reused as long as all are kept.
        static let kept = Mutex<[[String: Int]]>([])
    }

    private struct HidingHandler: IntentHandler {
        let hidden: Hidden

        var handling: Handling<TransferIntent> { Handle(self.handle) }

        func handle(intent: TransferIntent, context: TurnContext) async throws -> IntentResponse<TransferIntent> {
            let value: JSONValue =
                switch self.hidden {
                case .clock: .string("\(ContinuousClock.now)")
                case .dice: .integer(.random(in: 0 ... .max))
                case .order: .array(Self.unordered().keys.map(JSONValue.string))
                }
            return IntentResponse(code: .success, details: ["hidden": value])
        }

        private static func unordered() -> [String: Int] {
            let names = Dictionary(uniqueKeysWithValues: (0..<40).map { ("name \($0)", $0) })
            Hidden.kept.withLock { $0.append(names) }
            return names
        }
    }

    @Test(
        "R42: a hidden clock, random number or order of a dictionary is found, with its place and a remedy",
        arguments: Hidden.allCases
    )
    func findsHiddenDependencies(_ hidden: Hidden) async throws {
        let registrations = [IntentRegistration(version: "7", usesLedger: false) { HidingHandler(hidden: hidden) }]
        let pipeline = try await Pipeline.run(registrations) { try await $0.transfer("t1") }
        let report = try await pipeline.replay(registrations)
        #expect(report.counts == [.matched: 2, .diverged: 1])
        let verdict = try #require(report.verdicts.first)
        #expect(verdict.stage == .handle)
        #expect(verdict.difference?.path.hasPrefix("responses[0].response.hidden") == true)
        #expect(verdict.difference?.then != verdict.difference?.now)
        #expect(verdict.advice.contains("The handler's version is the same (HidingHandler 7)"))
        #expect(verdict.advice.contains("context.run"))
    }

    @Test("R42: another version matches if it gives the same bytes, and is named if it does not")
    func tellsVersionsApart() async throws {
        let then = [IntentRegistration(version: "1") { TransferHandler() }]
        let pipeline = try await Pipeline.run(then) { try await $0.transfer("t1", amount: 500) }
        let same = try await pipeline.replay([IntentRegistration(version: "2") { TransferHandler() }])
        #expect(same.isMatched)
        let other = try await pipeline.replay([IntentRegistration(version: "2") { TransferHandler(limit: 100) }])
        let verdict = try #require(other.verdicts.first)
        #expect(verdict.outcome == .diverged)
        #expect(verdict.stage == .resolve)
        #expect(verdict.difference == Difference(path: "outcome", then: "passed", now: "prompted"))
        #expect(other.json["diverged"] == 1)
        let shown = other.json["turns"]?.array?.first
        #expect(shown?["outcome"] == "Diverged")
        #expect(shown?["difference"] == ["path": "outcome", "then": "passed", "now": "prompted"])
        #expect(verdict.advice.contains("TransferHandler 1 then, TransferHandler 2 now"))
    }

    @Test("R43: a replay selects by interaction, user, stage, offsets and time")
    func selectsByInteractionUserStageOffsetAndTime() async throws {
        let registrations = [IntentRegistration { TransferHandler() }]
        let log = InMemoryLog()
        let pipeline = try await Pipeline.run(registrations, partitions: 1, log: log) { pipeline in
            try await pipeline.transfer("t1", user: "ada")
            try await pipeline.transfer("t2", user: "bob")
            try await pipeline.transfer("t3", user: "bob")
        }
        func count(_ select: (inout ReplaySelection) -> Void) async throws -> Int {
            let report = try await pipeline.replay(registrations, select)
            #expect(report.isMatched)
            return report.turns
        }
        #expect(try await count { _ in } == 9)
        #expect(try await count { $0.interaction = "t2" } == 3)
        #expect(try await count { $0.user = "bob" } == 6)
        #expect(try await count { $0.stage = .confirm } == 3)
        #expect(try await count { $0.interaction = "nobody's" } == 0)
        let journal = try await pipeline.records(of: .journal)
        #expect(try await count { $0.fromOffset = journal[3].offset } == 6)
        #expect(try await count { $0.toOffset = journal[3].offset } == 3)
        let time = Timestamp(milliseconds: journal[4].timestamp)
        let later = journal.filter { $0.timestamp >= time.milliseconds }.count
        #expect(try await count { $0.since = time } == later)
        #expect(try await count { $0.until = time } == 9 - later)
    }

    @Test("R43: what retention has removed is an error, not a shorter replay")
    func refusesWhatRetentionRemoved() async throws {
        let registrations = [IntentRegistration { TransferHandler() }]
        let pipeline = try await Pipeline.run(registrations, partitions: 1) { pipeline in
            try await pipeline.transfer("t1")
            try await pipeline.transfer("t2")
        }
        let journal = try await pipeline.records(of: .journal)
        let cut = TamperedLog(pipeline.log)
            .beginning(at: [TopicPartition("intents.journal", 0): journal[2].offset])
        await #expect(throws: AuditError.self) { try await pipeline.replay(registrations, on: cut) }
        await #expect(throws: AuditError.self) {
            try await pipeline.replay(registrations, on: cut) { $0.since = Timestamp(milliseconds: 0) }
        }
        let rest = try await pipeline.replay(registrations, on: cut) { $0.fromOffset = journal[2].offset }
        #expect(rest.counts == [.matched: 4])
        // The event of an existing turn is gone.
        let requests = try await pipeline.records(of: .requests)
        let halved = TamperedLog(pipeline.log)
            .beginning(at: [TopicPartition("intents.requests", 0): requests[1].offset])
        await #expect(throws: AuditError.self) { try await pipeline.replay(registrations, on: halved) }
    }

    @Test("R42: an event without its turn, a turn without its event, and an unreadable turn are reported")
    func reportsMissingTurnsAndEvents() async throws {
        let registrations = [IntentRegistration { TransferHandler() }]
        let pipeline = try await Pipeline.run(registrations, partitions: 1) { pipeline in
            for number in 1...3 { try await pipeline.transfer("t\(number)") }
        }
        let requests = try await pipeline.records(of: .requests)
        let journal = try await pipeline.records(of: .journal)
        let log = TamperedLog(pipeline.log)
        let withoutEvent = try await pipeline.replay(registrations, on: log.removing(requests[1]))
        #expect(withoutEvent.counts == [.matched: 8, .missing: 1])
        #expect(withoutEvent.verdicts.first?.event == RecordPosition(.requests, 0, requests[1].offset))
        let turn = try #require(journal.first { $0.header("ce_request") == "0:\(requests[1].offset)" })
        let withoutTurn = try await pipeline.replay(registrations, on: log.removing(turn))
        #expect(withoutTurn.counts == [.matched: 8, .missing: 1])
        #expect(withoutTurn.verdicts.first?.event == RecordPosition(.requests, 0, requests[1].offset))
        let broken = try await pipeline.replay(registrations, on: log.changing(turn) { $0.value = [0x7B] })
        #expect(broken.counts[.error] == 1)
        // All bytes but one are the same: the turn to which they belong has another result.
        let changed = try await pipeline.replay(
            registrations,
            on: log.changing(requests[0]) { record in
                let text = String(decoding: record.value ?? [], as: UTF8.self)
                record.value = Array(text.replacing("20", with: "30").utf8)
            }
        )
        #expect(changed.counts == [.matched: 8, .diverged: 1])
        #expect(changed.verdicts.first?.difference?.path == "event.digest")
        let advice = changed.verdicts.first?.advice ?? ""
        #expect(advice.hasPrefix("The event was altered: requests/") && advice.contains("`intentd audit verify`"))
        #expect(!advice.contains("handler's version"))
    }
}
