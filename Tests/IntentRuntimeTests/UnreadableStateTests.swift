import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Logging
import Testing

@Suite("R9: an interaction that cannot be read ends, and its user is told")
struct UnreadableStateTests {
    private let ledger = InMemoryLedger()

    /// Makes an effect of a request, as a turn that was parked has done.
    private func book(_ request: String) async throws {
        let key = EffectKey(request: "booking", origin: request, name: "flight", ordinal: 0)
        _ = try await self.ledger.perform(key) { _ in .null }
    }

    /// Leaves an interaction open, then overwrites a state entry and starts the workers again.
    private func withBroken(
        _ entry: @Sendable (Pipeline) async throws -> (stage: Stage, name: String, value: String),
        _ body: (Pipeline) async throws -> Void
    ) async throws {
        let registration = IntentRegistration(confirmation: .always) { GreetHandler() }
        // Broken state does not match the schemas.
        try await Pipeline.with([registration], ledger: self.ledger, checksWire: false) { pipeline in
            // A partition whose stages have processed something.
            try await self.serve("before", pipeline)
            let (stage, name, value) = try await entry(pipeline)
            let partition = HomePartition.of(user: "u1", count: pipeline.deployment.partitions)
            try await pipeline.restartWorkers {
                try await pipeline.write([
                    OutgoingRecord(
                        topicPartition: TopicPartition("intents.state", partition),
                        key: StateKey(stage: stage, user: "u1", name: StateName(name)).bytes,
                        value: Array(value.utf8)
                    )
                ])
            }
            try await body(pipeline)
            let replayed = try await pipeline.replayAll([registration])
            #expect(!replayed.contains { !$0.isMatch })
        }
    }

    /// Asks for something, says yes, and is served.
    private func serve(_ subject: InteractionID, _ pipeline: Pipeline) async throws {
        try await pipeline.request("GreetIntent", ["name": "Jeff"], subject: subject)
        try await pipeline.answer(try await pipeline.next(of: subject), [:])
        #expect(try await pipeline.end(of: subject).data["endReason"] == "nominal")
    }

    private func request(of subject: String, _ pipeline: Pipeline) async throws -> String {
        let record = try await pipeline.records(of: .responses).last { $0.header(EventHeaderName.subject) == subject }
        return try #require(record?.header(EventHeaderName.request))
    }

    private func deadLetters(_ pipeline: Pipeline) async throws -> [String?] {
        try await pipeline.records(of: .deadLetters).map { $0.header("intentd_error") }
    }

    @Test(
        "An open interaction: one terminal response, a dead letter, and the next request is served",
        arguments: [
            // Its id is readable; all of it but the id is broken; nothing of it is JSON.
            #"{"id":"i1","intent":{"name":"GreetIntent","parameters":{}},"prompt":{"kind":"telepathy"}}"#,
            #"{"id":"i1"}"#, "\u{0}\u{1}",
        ]
    )
    func openInteractionEndsWithDeadLetter(_ value: String) async throws {
        try await self.withBroken { pipeline in
            try await pipeline.request("GreetIntent", subject: "i1")
            #expect(try await pipeline.next(of: "i1").type == "prompt.issued")
            return (.resolve, "i/\(try await self.request(of: "i1", pipeline))", value)
        } _: { pipeline in
            let end = try await pipeline.end(of: "i1")
            #expect(end.data["endReason"] == "error")
            #expect(end.data["phase"] == "resolve")
            #expect(try await self.deadLetters(pipeline) == ["stateUnreadable"])
            // Events for it find nothing afterwards, and nothing is done twice.
            try await pipeline.send(
                .promptAnswered,
                data: ["user": ["id": "u1"], "promptId": "i1/r/1", "action": "accept", "value": "Jeff"]
            )
            #expect(try await pipeline.next { $0.type == "event.rejected" }.data["reason"] != nil)
            try await self.serve("next", pipeline)
        }
    }

    @Test("A parked turn: its interaction ends, and the user's events behind it are processed")
    func parkedTurnEndsAndQueueContinues() async throws {
        // A request that is on its topic: that of the interaction before.
        let request = "\(HomePartition.of(user: "u1", count: 4)):0"
        try await self.withBroken { _ in
            try await self.book(request)
            let headers =
                #"[["ce_type","intent.confirmed"],["ce_subject","lost"],["ce_request","\#(request)"],["ce_userid","u1"]]"#
            let event =
                #"{"position":"confirmed/1/7","headers":\#(headers),"value":"{\"intent\":{\"name\":\"GreetIntent\"}}"}"#
            return (.handle, "parked", #"{"event":\#(event),"interaction":"lost","attempt":"first"}"#)
        } _: { pipeline in
            let end = try await pipeline.end(of: "lost")
            #expect(end.data["endReason"] == "error")
            #expect(end.data["code"] == "failure")
            #expect(end.request?.text == request)
            // What it has done is named (R30).
            #expect(end.data["effects"] == ["flight"])
            #expect(end.data["effectsIncomplete"] == nil)
            try await self.serve("next", pipeline)
            #expect(try await self.deadLetters(pipeline) == ["stateUnreadable"])
        }
    }

    @Test("An unreadable event behind a parked turn holds nobody up")
    func queuedEventHoldsNobodyUp() async throws {
        try await self.withBroken { _ in
            (.resolve, "q/0000000000000000000", "no event")
        } _: { pipeline in
            try await self.serve("next", pipeline)
            #expect(try await self.deadLetters(pipeline) == ["stateUnreadable"])
        }
    }

    @Test(
        "An event between the stages with an unreadable interaction: a terminal response, and a dead letter",
        arguments: [nil, "0:5"]
    )
    func passedInteractionEndsWithDeadLetter(origin: String?) async throws {
        let registrations = [IntentRegistration { GreetHandler() }]
        try await Pipeline.with(registrations, ledger: self.ledger, checksWire: false) { pipeline in
            // The stages have their partitions, and have asked the ledger for its last request.
            try await pipeline.request("GreetIntent", ["name": "Jeff"], subject: "before")
            _ = try await pipeline.end(of: "before")
            try await self.book(origin ?? "0:7")
            let event = Event(
                id: "broken",
                source: "/intentd/confirm",
                type: .intentConfirmed,
                time: Timestamp(milliseconds: 0),
                subject: "lost",
                userID: "u1",
                causationID: "e1",
                request: "0:7",
                passedThrough: origin.map { [EventHeaderName.redriveOf: $0] } ?? [:],
                data: ["interaction": ["id": "lost"], "intent": ["name": "GreetIntent"], "user": ["id": "u1"]]
            )
            let partition = HomePartition.of(user: "u1", count: pipeline.deployment.partitions)
            try await pipeline.write([
                OutgoingRecord(
                    topicPartition: TopicPartition("intents.confirmed", partition),
                    key: Array("u1".utf8),
                    value: event.data.utf8,
                    headers: event.headers.map { LogHeader($0.name, bytes: $0.value) }
                )
            ])
            let end = try await pipeline.end(of: "lost")
            #expect(end.data["endReason"] == "error")
            #expect(end.request == "0:7")
            #expect(end.data["effects"] == ["flight"])
            #expect(try await self.deadLetters(pipeline) == ["malformed"])
        }
    }
}
