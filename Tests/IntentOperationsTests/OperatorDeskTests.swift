import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@testable import IntentOperations

@Suite("R82, R93: what operators see of open interactions, and do with them")
struct OperatorDeskTests {
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
            var waiting = Interaction.order("i\(number)", of: "ada", request: "0:\(number)")
            waiting.waiting = .order(reason)
            add("ada", .interaction(waiting.request), waiting.utf8, .handle)
        }
        var asked = Interaction.order("twin", of: "ada", request: "0:9")
        asked.appDeadline = Timestamp(milliseconds: 5_000)
        add("ada", .interaction("0:9"), asked.utf8, .handle)
        for (user, retryAt) in [("ben", nil), ("eve", 4_000)] as [(UserID, Int64?)] {
            let interaction = Interaction.order(user == "ben" ? "twin" : "late", of: user, request: "1:3")
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

    @Test("The request selects one of several open interactions with the same user and id")
    func findsByRequest() async throws {
        let (desk, log, deployment) = try await Self.desk()
        var again = Interaction.order("i0", of: "ada", request: "0:7")
        again.appDeadline = Timestamp(milliseconds: 5_000)
        let key = StateKey(stage: .handle, user: "ada", name: .interaction(again.request)).bytes
        let partition = deployment.topicPartition(.state, deployment.home(of: "ada"))
        try await log.write([OutgoingRecord(topicPartition: partition, key: key, value: again.utf8, headers: [])])
        let several = await #expect(throws: OperationError.self) { try await desk.open("i0", of: nil) }
        #expect(several?.code == .usage)
        #expect(several?.message.contains("ada has several open interactions i0 (requests 0:0, 0:7)") == true)
        #expect(several?.message.contains("--request") == true)
        #expect(try await desk.open("i0", of: nil, request: "0:7").activity == .app)
        #expect(try await desk.open("i0", of: "ada", request: "0:0").activity.canRetry)
        let none = await #expect(throws: OperationError.self) { try await desk.open("i0", of: nil, request: "0:8") }
        #expect(none?.code == .noInput)
    }

    @Test("An interaction whose entry is removed, or written again as another one, is not open")
    func followsLastEntries() async throws {
        let (desk, log, deployment) = try await Self.desk()
        let partition = deployment.topicPartition(.state, deployment.home(of: "ada"))
        func write(_ request: RequestID, _ value: [UInt8]?) async throws {
            let key = StateKey(stage: .handle, user: "ada", name: .interaction(request)).bytes
            try await log.write([OutgoingRecord(topicPartition: partition, key: key, value: value, headers: [])])
        }
        try await write("0:0", nil)
        try await write("0:1", Interaction.order("other", of: "ada", request: "0:1").utf8)
        #expect(try await desk.open { ["i0", "i1"].contains($0) }.isEmpty)
        #expect(try await desk.open("other", of: nil).request == "0:1")
    }

    @Test("R82e: a pause can be ended before its stages have read it, and not twice")
    func resumesAtOnce() async throws {
        let (desk, log, deployment) = try await Self.desk()
        let target = Pause.Target.intent("Order")
        func refusal(_ stages: [Stage]) async -> String? {
            do {
                try await desk.resume(target, in: stages)
                return nil
            } catch { return "\(error)" }
        }
        #expect(await refusal([.handle])?.contains("is not paused in these stages") == true)
        try await desk.pause(target, in: [.confirm, .handle])
        #expect(await refusal([.resolve]) != nil)
        #expect(await refusal([.handle]) == nil)
        #expect(await refusal([.handle]) != nil)
        #expect(await refusal([.confirm]) == nil)
        // The state that the stages have not changed yet says that it is paused; the log knows better.
        let keeper = Pause.keeper(ofPartition: 0, of: deployment.partitions)
        let pause = Pause(target, id: "p", since: Timestamp(milliseconds: 1), by: "ada")
        let key = StateKey(stage: .handle, user: keeper, name: .pause(target)).bytes
        try await log.write([
            OutgoingRecord(
                topicPartition: deployment.topicPartition(.state, 0),
                key: key,
                value: pause.json.utf8,
                headers: []
            )
        ])
        #expect(try await desk.pauses().map(\.stage) == [.handle])
        #expect(await refusal([.handle]) != nil)
        // An act that reached some partitions only can be repeated.
        let act = desk.act(.pause, target: target.description)
        let records = act.records(for: [.handle], of: deployment, now: Timestamp(milliseconds: 2))
        try await log.write(Array(records.suffix(1)))
        #expect(await refusal([.handle]) == nil)
    }

    @Test("A pause whose records could not all be written says that it may hold in some partitions, and to repeat it")
    func partialPauseSaysSo() async throws {
        let (desk, log, _) = try await Self.desk()
        log.inject(.send(LogError(.unavailable, "no broker")))
        let failure = await #expect(throws: OperationError.self) {
            try await desk.pause(.intent("Order"), in: [.handle])
        }
        #expect(failure?.code == .unavailable && failure?.message.hasPrefix("no broker\n") == true)
        #expect(failure?.message.contains("may be paused in some partitions only: repeat `intentd pause`") == true)
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
