import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@testable import IntentOperations

@Suite("R82, R93: what operators see of open interactions, and do with them")
struct OperatorDeskTests {
    private static func interaction(_ id: InteractionID, _ user: UserID, _ request: RequestID) -> Interaction {
        Interaction(
            id: id,
            request: request,
            startedAt: Timestamp(milliseconds: 1_000),
            user: RequestingUser(id: user.text),
            device: RequestingDevice(),
            locale: "en-US",
            intent: IntentSnapshot(name: "Order", parameters: [:])
        )
    }

    private static func wait(_ reason: HandleWait.Reason) -> HandleWait {
        HandleWait(
            reason,
            at: Timestamp(milliseconds: 90_000),
            attempts: 3,
            firstTriedAt: Timestamp(milliseconds: 1_500),
            position: RecordPosition(.confirmed, 0, 4)
        )
    }

    /// A desk over the state of users whose interactions do different things.
    private static func desk() async throws -> (desk: OperatorDesk, log: InMemoryLog, deployment: Deployment) {
        let log = InMemoryLog()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 2), on: log)
        var records: [OutgoingRecord] = []
        func add(_ user: UserID, _ name: StateName, _ value: [UInt8], _ stage: Stage) {
            records.append(
                OutgoingRecord(
                    topicPartition: deployment.topicPartition(.state, deployment.home(of: user)),
                    key: StateKey(stage: stage, user: user, name: name).bytes,
                    value: value,
                    headers: []
                )
            )
        }
        for (number, reason) in [HandleWait.Reason.retry, .operator].enumerated() {
            var waiting = Self.interaction("i\(number)", "ada", "0:\(number)")
            waiting.waiting = Self.wait(reason)
            add("ada", .interaction(waiting.request), waiting.utf8, .handle)
        }
        var asked = Self.interaction("twin", "ada", "0:9")
        asked.appDeadline = Timestamp(milliseconds: 5_000)
        add("ada", .interaction("0:9"), asked.utf8, .handle)
        for (user, retryAt) in [("ben", nil), ("eve", 4_000)] as [(UserID, Int64?)] {
            let interaction = Self.interaction(user == "ben" ? "twin" : "late", user, "1:3")
            let event = Event(
                id: "e1",
                source: "/intentd/confirm",
                type: .intentConfirmed,
                time: Timestamp(milliseconds: 0),
                subject: interaction.id,
                userID: user,
                request: interaction.request,
                data: ["interaction": interaction.json, "user": ["id": user.json]]
            )
            var parked = ParkedTurn(
                event: event.stored(on: .confirmed, partition: 0, offset: 8),
                interactionID: interaction.id,
                startedAt: Timestamp(milliseconds: 0),
                timeoutAt: Timestamp(milliseconds: 300_000)
            )
            parked.attempt = 2
            parked.retryAt = retryAt.map { Timestamp(milliseconds: $0) }
            add(user, .parked, parked.utf8, .handle)
        }
        try await log.write(records)
        let by = OperatorAct.Operator("ada", via: "terminal", reason: "why not")
        return (OperatorDesk(deployment, log: log, by: by), log, deployment)
    }

    @Test("R93b: nobody acts on running work without a reason, and nothing is written then")
    func needsReason() async throws {
        let (asked, log, deployment) = try await Self.desk()
        let desk = OperatorDesk(deployment, log: log, by: OperatorAct.Operator("ada", via: "console"))
        let interaction = try await asked.open("late", of: "eve")
        var many = try await BulkCancel([], at: desk)
        let missing = OperationError(.usage, OperatorName.missingReason)
        await #expect(throws: missing) { try await desk.cancel(interaction) }
        await #expect(throws: missing) { try await desk.retry(interaction) }
        await #expect(throws: missing) { try await desk.pause(.intent("Order"), in: [.handle]) }
        await #expect(throws: missing) { try await desk.resume(.intent("Order"), in: [.handle]) }
        await #expect(throws: missing) { try await many.run(wait: .zero) }
        #expect(try await log.records(of: .signals, deployment).isEmpty)
    }

    @Test("An open interaction is found with its stage, its request and what it does")
    func findsOpenInteractions() async throws {
        let (desk, _, _) = try await Self.desk()
        let waiting = try await desk.open("i0", of: nil)
        #expect(waiting.stage == .handle && waiting.request == "0:0" && waiting.activity.canRetry)
        let late = try await desk.open("late", of: nil)
        #expect(late.activity == .retrying(attempt: 2, at: Timestamp(milliseconds: 4_000)) && late.request == "1:3")
        let running = try await desk.open("twin", of: "ben")
        #expect(running.activity == .running(attempt: 2) && running.summary == "attempt 2 of handle is running")
        let several = await #expect(throws: OperationError.self) { try await desk.open("twin", of: nil) }
        #expect(several?.code == .usage && several?.message.contains("ada, ben") == true)
        let none = await #expect(throws: OperationError.self) { try await desk.open("nobody", of: nil) }
        #expect(none?.code == .noInput)
    }

    @Test("R82c: what has no attempt to begin is refused with what it does, and nothing is written")
    func refusesRetries() async throws {
        let (desk, log, deployment) = try await Self.desk()
        for (id, user, text) in [
            ("i1", "ada", "waits for a decision"), ("twin", "ada", "waits for the app"), ("twin", "ben", "is running"),
        ] as [(InteractionID, UserID, String)] {
            let interaction = try await desk.open(id, of: user)
            let refusal = await #expect(throws: OperationError.self) { try await desk.retry(interaction) }
            #expect(refusal?.code == .badData && refusal?.message.contains(text) == true)
        }
        #expect(try await log.records(of: .signals, deployment).isEmpty)
        for id in ["i0", "late"] as [InteractionID] { _ = try await desk.retry(try await desk.open(id, of: nil)) }
        #expect(try await log.records(of: .signals, deployment).count == 2)
    }

    @Test("R93a: an act is written to the home of its user, with who and why")
    func writesActs() async throws {
        let (desk, log, deployment) = try await Self.desk()
        let position = try await desk.cancel(try await desk.open("i0", of: nil))
        #expect(position.topic == .signals && position.partition == deployment.home(of: "ada"))
        let record = try #require(try await log.records(of: .signals, deployment).last)
        let act = try #require(OperatorAct(try StoredRecord(record, topic: .signals).decoded()))
        #expect(act.kind == .cancel && act.user == "ada" && act.interaction == "i0" && act.request == "0:0")
        #expect(act.by == OperatorAct.Operator("ada", via: "terminal", reason: "why not"))
    }

    @Test("R93b: a name and a reason are checked")
    func checksNames() throws {
        #expect(try OperatorName.checked("Ada", "the name", longest: 8) == "Ada")
        for text in ["", "123456789", "a\u{7}b", "a\nb"] {
            #expect(throws: OperationError.self) { try OperatorName.checked(text, "the name", longest: 8) }
        }
    }
}
