import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentOperations
@testable import IntentRuntime

@Suite("R76: interactions that wait for operators")
struct WaitingBoxTests {
    /// A deployment whose state has waiting interactions of two users, one that waited before, and others.
    private static func box() async throws -> (box: WaitingBox, log: InMemoryLog, deployment: Deployment) {
        let log = InMemoryLog()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 2), on: log)
        var records: [OutgoingRecord] = []
        func add(_ interaction: Interaction?, _ user: UserID, _ request: RequestID, stage: Stage = .handle) {
            records.append(
                OutgoingRecord(
                    topicPartition: deployment.topicPartition(.state, deployment.home(of: user)),
                    key: StateKey(stage: stage, user: user, name: .interaction(request)).bytes,
                    value: interaction?.utf8,
                    headers: []
                )
            )
        }
        var first = Interaction.order("i1", of: "ada", request: "0:7", ["cups": 2])
        first.waiting = .order(.operator)
        var second = Interaction.order("i1", of: "ben", request: "0:9", startedAt: 2_000, ["cups": 2])
        second.waiting = .order(.operator)
        var retried = Interaction.order("i2", of: "ben", request: "0:10", startedAt: 2_000, ["cups": 2])
        retried.waiting = .order(.retry)
        var decided = Interaction.order("i3", of: "ada", request: "0:11", startedAt: 2_000, ["cups": 2])
        decided.waiting = .order(.operator)
        add(second, "ben", "0:9")
        add(first, "ada", "0:7")
        add(retried, "ben", "0:10")
        let elsewhere = Interaction.order("i4", of: "ben", request: "0:12", startedAt: 2_000, ["cups": 2])
        add(elsewhere, "ben", "0:12", stage: .resolve)
        add(decided, "ada", "0:11")
        add(nil, "ada", "0:11")
        try await log.write(records)
        return (WaitingBox(deployment, log: log), log, deployment)
    }

    @Test("Waiting interactions are listed, the oldest first, with what the operator needs")
    func listsThoseThatWait() async throws {
        let (box, _, _) = try await Self.box()
        let waiting = try await box.interactions()
        #expect(waiting.map(\.interaction.user.id) == ["ada", "ben"])
        let json = try #require(waiting.first).json(.revealed)
        #expect(json["interaction"] == "i1" && json["request"] == "0:7" && json["attempts"] == 3)
        #expect(json["parameters"] == ["cups": 2] && json["until"] == "1970-01-01T00:01:30.000Z")
        let masked = try #require(waiting.first).json(.everything)
        #expect(masked["parameters"] == ["cups": .string(Masking.mask)])
    }

    @Test("An interaction is found by its id, and also by its user if several users have the id")
    func findsOneByID() async throws {
        let (box, _, _) = try await Self.box()
        let second = try await box.interaction("i1", of: "ben")
        #expect(second.interaction.request == "0:9")
        let several = await #expect(throws: OperationError.self) { try await box.interaction("i1", of: nil) }
        #expect(several?.code == .usage && several?.message.contains("ada, ben") == true)
        for (id, user) in [("i2", nil), ("i3", "ada"), ("i1", "eve")] as [(InteractionID, UserID?)] {
            let none = await #expect(throws: OperationError.self) { try await box.interaction(id, of: user) }
            #expect(none?.code == .noInput)
        }
    }

    /// What a decision was written as.
    private static func written(
        _ outcome: OperatorDecision.Outcome,
        codes: Set<String>? = nil,
        _ change: (inout WaitingBox.Decision) -> Void = { _ in }
    ) async throws -> (event: Event, isProved: Bool) {
        let (box, log, deployment) = try await Self.box()
        var decision = WaitingBox.Decision(outcome)
        change(&decision)
        let waiting = try await box.interaction("i1", of: "ada")
        let position = try await box.decide(
            waiting,
            decision,
            codes: codes,
            by: OperatorAct.Operator("ops", via: "terminal")
        )
        #expect(position.partition == deployment.home(of: "ada"))
        let key = try #require(try await deployment.redriveKey(on: log))
        let record = try #require(try await log.records(of: .requests, deployment).last)
        let event = try StoredRecord(record, topic: .requests).decoded()
        return (event, RedriveCheck.key(key).verdict(onDecision: event))
    }

    @Test("A decision is written with its proof, and with the default code if none is given")
    func writesDecisions() async throws {
        let done = try await Self.written(.done) { $0.details = ["order": 17] }
        #expect(done.isProved && done.event.subject == "i1" && done.event.userID == "ada")
        #expect(done.event.data["code"] == "success" && done.event.data["details"] == ["order": 17])
        #expect(done.event.data["request"] == "0:7" && done.event.data["attempts"] == 3)
        let failed = try await Self.written(.failed, codes: ["failure", "success"]) { $0.dialog = "Sold out." }
        #expect(failed.isProved && failed.event.data["code"] == "failure" && failed.event.data["dialog"] == "Sold out.")
        let notDone = try await Self.written(.notDone)
        #expect(notDone.isProved && notDone.event.data["code"] == nil)
    }

    @Test("A decision that does not fit is refused before anything is written")
    func refusesWhatDoesNotFit() async throws {
        let (box, log, deployment) = try await Self.box()
        let waiting = try await box.interaction("i1", of: "ada")
        func refusal(
            _ outcome: OperatorDecision.Outcome,
            _ change: (inout WaitingBox.Decision) -> Void
        ) async -> String? {
            var decision = WaitingBox.Decision(outcome)
            change(&decision)
            do {
                _ = try await box.decide(
                    waiting,
                    decision,
                    codes: ["success", "failure", "inProgress"],
                    by: OperatorAct.Operator("ops", via: "terminal")
                )
                return nil
            } catch {
                return "\(error)"
            }
        }
        let failure = await refusal(.done) { $0.code = "failure" }
        #expect(failure?.contains("does not fit") == true)
        let inProgress = await refusal(.done) { $0.code = "inProgress" }
        #expect(inProgress?.contains("does not fit") == true)
        let odd = await refusal(.failed) { $0.code = "failureOdd" }
        #expect(odd?.contains("none of the intent's") == true)
        let words = await refusal(.notDone) { $0.dialog = "No." }
        #expect(words?.contains("posted once more") == true)
        let written = try await log.records(of: .requests, deployment)
        #expect(written.isEmpty)
    }
}
