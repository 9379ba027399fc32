import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentRuntime

@Suite("What a batch writes in one partition")
struct PartitionBatchTests {
    private static func environment() throws -> StageEnvironment {
        try StageEnvironment.tests(.resolve, [IntentRegistration { GreetHandler() }], clock: ManualClock())
    }

    @Test("Runs that end at the same time all have their turns written, each user's in order and in one chain")
    func writesRunsOfAllThreads() async throws {
        let environment = try Self.environment()
        let batch = PartitionBatch(environment: environment, partition: 0, chain: "")
        let users = (0..<200).map { UserID("u\($0)") }
        await withTaskGroup(of: Void.self) { group in
            for (index, user) in users.enumerated() {
                group.addTask {
                    let items = (0..<2)
                        .map { turn in
                            let event = Event(
                                id: "e\(index)-\(turn)",
                                source: "/tests",
                                type: .intentRequested,
                                time: Timestamp(milliseconds: 0),
                                subject: InteractionID("i\(index)-\(turn)"),
                                userID: user,
                                data: ["intent": ["name": "GreetIntent"], "user": ["id": user.json]]
                            )
                            return UserRun.Item.event(
                                TurnInput(event.stored(on: .requests, offset: Int64(2 * index + turn)))
                            )
                        }
                    let run = UserRun(
                        user: user,
                        items: ShortList(items),
                        environment: environment,
                        table: StateTable(),
                        looksInQueue: false,
                        batch: batch
                    )
                    _ = await run.execute(on: BatchExecution.WorkerTask())
                }
            }
        }
        let assembler = batch.finish()
        let turns = assembler.records.filter { $0.topicPartition.topic == "intents.journal" }
        let records = turns.compactMap { TurnRecord($0.content) }
        #expect(records.count == 400)
        for user in users {
            let ids = records.filter { $0.userID == user }.map(\.eventID)
            #expect(ids.count == 2 && ids == ids.sorted())
        }
        let digests = turns.map { RecordDigest.of($0.content) }
        #expect(records.map(\.previousDigest) == [""] + digests.dropLast())
        #expect(assembler.chain == digests.last)
    }

    @Test("R57: a timer that occurs only in format 2 is of format 2", arguments: TimerKind.allCases)
    func marksTimers(kind: TimerKind) throws {
        let environment = try Self.environment()
        let batch = PartitionBatch(environment: environment, partition: 0, chain: "")
        let draft = EventDraft(
            type: .timerFired,
            time: Timestamp(milliseconds: 0),
            subject: "i1",
            request: "0:1",
            userID: "u1",
            stage: .resolve,
            passedThrough: [:],
            data: { $0.object(["what": .string(kind.rawValue)]) }
        )
        batch.add { $0.append(draft, of: kind, id: "t1") }
        let record = try #require(batch.finish().records.first)
        let isNew = [TimerKind.again, .followUp, .undo, .resume].contains(kind)
        #expect(RecordFormats.format(of: record.content, on: .signals) == (isNew ? 2 : 1))
    }
}
