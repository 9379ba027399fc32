import InMemoryLog
import IntentEvents
import IntentKit
import IntentRecords
import IntentRuntime
import Testing

@testable import IntentOperations

@Suite("R84e: dead letters that operators have handled")
struct HandledLettersTests {
    private let log = InMemoryLog()
    private let by = OperatorAct.Operator("ada", via: "terminal", reason: "called the user")

    /// A deployment with dead letters of users, 0/0 and 0/1 of `ada`; one has no user.
    private func box() async throws -> (box: DeadLetterBox, deployment: Deployment) {
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 1), on: self.log)
        let records = [("ada", "handlerFailed"), ("ada", "malformed"), (nil, "malformed")]
            .map { user, error in
                OutgoingRecord(
                    topicPartition: deployment.topicPartition(.deadLetters, 0),
                    key: nil,
                    value: Array("{}".utf8),
                    headers: [LogHeader("ce_type", "intent.requested"), LogHeader("intentd_error", error)]
                        + (user.map { [LogHeader("ce_userid", $0)] } ?? [])
                )
            }
        try await self.log.write(records)
        return (DeadLetterBox(prefix: deployment.prefix, log: self.log), deployment)
    }

    private func filter(_ handled: String) throws -> DeadLetterFilter {
        var filter = DeadLetterFilter()
        try filter.set(.handled, handled, now: Timestamp(milliseconds: 0))
        return filter
    }

    @Test("A letter is marked once, with the note: a second mark writes nothing and changes nothing")
    func marksOnce() async throws {
        let (box, deployment) = try await self.box()
        let first = try await box.letters(named: [DeadLetterName(partition: 0, offset: 1)])
        let marked = try await box.handle(first, of: deployment, isDryRun: false, by: self.by)
        #expect(marked.map(\.before) == [nil])
        let other = OperatorAct.Operator("eve", via: "terminal", reason: "not mine")
        let all = try await box.letters { _ in true }
        let again = try await box.handle(all, of: deployment, isDryRun: false, by: other)
        #expect(again.map(\.before?.by) == [nil, "ada", nil])
        let acts = try await self.log.acts(.handled, since: 0, prefix: deployment.prefix).map(\.act)
        #expect(acts.map(\.target) == ["0/1", "0/0", "0/2"] && acts.map(\.user) == ["ada", "ada", nil])
        let handled = try await box.handled(all)
        #expect(handled["0/1"]?.note == "called the user" && handled["0/0"]?.by == "eve" && handled.count == 3)
    }

    @Test("Of two marks that were written at once the first counts")
    func firstOfTwoMarksCounts() async throws {
        let (box, deployment) = try await self.box()
        let letters = try await box.letters(named: [DeadLetterName(partition: 0, offset: 1)])
        for name in ["ada", "eve"] {
            let by = OperatorAct.Operator(name, via: "terminal", reason: "called the user")
            let desk = OperatorDesk(deployment, log: self.log, by: by)
            try await desk.write(desk.act(.handled, user: "ada", target: letters[0].name))
        }
        #expect(try await box.handled(letters).mapValues(\.by) == ["0/1": "ada"])
    }

    @Test("Marked letters are listed with their mark, filtered by it, and left out of a redrive of all that match")
    func filtersByMark() async throws {
        let (box, deployment) = try await self.box()
        _ = try await box.handle(
            try await box.letters(named: [DeadLetterName(partition: 0, offset: 0)]),
            of: deployment,
            isDryRun: false,
            by: self.by
        )
        func names(_ filter: DeadLetterFilter) async throws -> [String] {
            try await box.list(filter, of: deployment).map(\.brief.name)
        }
        #expect(try await box.list(DeadLetterFilter(), of: deployment).map(\.brief.handled?.by) == ["ada", nil, nil])
        #expect(try await names(self.filter("yes")) == ["0/0"])
        #expect(try await names(self.filter("no")) == ["0/1", "0/2"])
        var errors = DeadLetterFilter()
        try errors.set(.error, "handlerFailed", now: Timestamp(milliseconds: 0))
        #expect(try await names(errors) == ["0/0"])
        #expect(try await names(errors.unhandled).isEmpty)
        #expect(throws: OperationError.self) { try self.filter("maybe") }
    }

    @Test("Nothing is written by a dry run, nor without a note")
    func writesOnlyWithNote() async throws {
        let (box, deployment) = try await self.box()
        let letters = try await box.letters { _ in true }
        _ = try await box.handle(letters, of: deployment, isDryRun: true, by: self.by)
        let silent = OperatorAct.Operator("ada", via: "console")
        let refusal = await #expect(throws: OperationError.self) {
            try await box.handle(letters, of: deployment, isDryRun: false, by: silent)
        }
        #expect(refusal?.code == .usage)
        #expect(try await box.handled(letters).isEmpty)
    }
}
