import InMemoryLog
import InMemoryTracing
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Logging
import OTLPTraces
import Telemetry
import Testing
import Tracing

@Suite("R66: the spans of turns")
struct TurnSpanTests {
    /// The words of the user, which no span may have.
    private static let secret = "Celestra-the-secret"
    private static let client = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    private static let other = "00-11111111111111111111111111111111-2222222222222222-01"

    /// Makes a call with a span of the handler's own in it, a read, and an effect.
    private struct BusyHandler: IntentHandler {
        var handling: Handling<GreetIntent> {
            Resolve(by: self.resolveName, \.$name)
            Handle(self.handle)
        }

        func handle(intent: GreetIntent, context: TurnContext) async throws -> IntentResponse<GreetIntent> {
            try await context.run("fetch") {
                // The tracer is that of the task, not that of the process.
                await withSpan("own") { _ in await Task.yield() }
            }
            try await context.read("look") { _ in }
            try await context.effect("greet") { _ in }
            return self.greeting(intent)
        }
    }

    private let queue = SpanQueue()
    private let ledger = InMemoryLedger()

    private func tracing(share: Double) -> TurnTracing {
        TurnTracing(tracer: OTLPTracer(queue: self.queue), sampler: TraceSampler(share: share))
    }

    /// The spans of all that was sent.
    private func spans(of pipeline: Pipeline) async throws -> [SpanRecord] {
        try await pipeline.settle()
        // A turn's span is ended after its transaction, and no worker leaves before that.
        await pipeline.restartWorkers()
        return Array(self.queue.first(.max))
    }

    private static func headers(_ parent: String?, _ state: String? = nil) -> [LogHeader] {
        [parent.map { LogHeader("traceparent", $0) }, state.map { LogHeader("tracestate", $0) }].compactMap { $0 }
    }

    /// A conversation with a prompt: the request and the answer with these headers.
    private func converse(_ pipeline: Pipeline, request: [LogHeader], answer: [LogHeader] = []) async throws {
        try await pipeline.send(
            .intentRequested,
            subject: "i1",
            headers: request,
            data: ["intent": ["name": "GreetIntent"], "user": ["id": "u1"]]
        )
        let prompt = try await pipeline.next(of: "i1")
        // A wait has a span when it takes a millisecond.
        let clock = SystemRuntimeClock()
        while clock.now - prompt.time < 1 { await Task.yield() }
        try await pipeline.send(
            .promptAnswered,
            headers: answer,
            data: .members([
                "action": "accept", "promptId": prompt.data["promptId"], "user": ["id": "u1"],
                "value": .string(Self.secret),
            ])
        )
        #expect(try await pipeline.end(of: "i1").data["status"] == "success")
    }

    private static let process = [
        "process intents.requests", "process intents.requests", "process intents.resolved", "process intents.confirmed",
    ]

    private static func processes(_ spans: [SpanRecord]) -> [SpanRecord] {
        spans.filter { $0.name.hasPrefix("process ") }
    }

    @Test("R66: a conversation's spans are one tree below the client's span, and an answer's own context is linked")
    func conversationIsOneTree() async throws {
        try await Pipeline.with(
            [IntentRegistration { BusyHandler() }],
            ledger: self.ledger,
            tracing: self.tracing(share: 0)
        ) { pipeline in
            try await self.converse(
                pipeline,
                request: Self.headers(Self.client, "a=1"),
                answer: Self.headers(Self.other)
            )
            let spans = try await self.spans(of: pipeline)
            let turns = Self.processes(spans)
            #expect(turns.map(\.name) == Self.process)
            let client = try #require(TraceContext(parent: Self.client, state: "a=1"))
            #expect(
                turns.allSatisfy { $0.parent?.context == client && $0.parent?.isRemote == true && $0.kind == .consumer }
            )
            #expect(spans.allSatisfy { $0.context.trace == client.trace && $0.context.state == "a=1" })
            #expect(Set(spans.map(\.context.span)).count == spans.count)
            #expect(!spans.contains { $0.name == "interaction" })

            // What comes with the request's own context needs no link.
            let other = try #require(TraceContext(parent: Self.other))
            #expect(turns.map { $0.links.map(\.spanContext.context) } == [[], [other], [], []])

            func within(_ span: SpanRecord) -> [String] {
                spans.filter { $0.parent?.context == span.context }.map(\.name)
            }
            #expect(within(turns[0]) == ["commit"])
            #expect(within(turns[3]) == ["run fetch", "read look", "effect greet", "ledger close", "commit"])
            let fetch = try #require(spans.first { $0.name == "run fetch" })
            #expect(within(fetch) == ["own"])
            for span in spans {
                guard let outer = turns.first(where: { $0.context == span.parent?.context }) else { continue }
                #expect(outer.start <= span.start && span.end <= outer.end, "\(span.name)")
            }

            #expect(turns.map { $0.attributes.get("outcome") } == ["prompted", "passed", "passed", "ended"])
            #expect(turns.map { $0.attributes.get("stage") } == ["resolve", "resolve", "confirm", "handle"])
            #expect(turns.allSatisfy { $0.attributes.get("interaction.id") == "i1" })
            #expect(turns.allSatisfy { $0.attributes.get("intent") == "GreetIntent" })
            #expect(turns.allSatisfy { $0.attributes.get("result") == "committed" })
            #expect(turns.allSatisfy { $0.attributes.get("messaging.system") == "kafka" })
            #expect(turns[3].attributes.get("messaging.consumer.group.name") == "intents.handle")
            #expect(turns[3].attributes.get("code") == "success")
            let answer = try #require(spans.first { $0.name == "awaitingUser" })
            #expect(answer.parent?.context == client)
            #expect(turns[0].start <= answer.start && answer.start < answer.end && answer.end <= turns[1].start)
            #expect(spans.filter { $0.name == "awaitingUser" }.count == 1)
            #expect(turns[0].events.map(\.name) == ["prompt issued"])
            #expect(turns[0].events.first?.attributes.get("prompt.kind") == "needsValue")

            #expect(!"\(spans)".contains(Self.secret))
            #expect(!"\(spans)".contains("u1"))

            // The records have what the client wrote, and nothing of these spans.
            for topic in [Topic.resolved, .confirmed, .responses] {
                for record in try await pipeline.records(of: topic) {
                    #expect(record.header("traceparent") == Self.client)
                    #expect(record.header("tracestate") == "a=1")
                }
            }
            let results = try await pipeline.replayAll([IntentRegistration { BusyHandler() }])
            #expect(results.count == 4)
            #expect(results.allSatisfy { $0.isMatch })
        }
    }

    @Test("R66: without a context the request starts a trace that all stages share, and no client sees it")
    func requestWithoutContextStartsTrace() async throws {
        try await Pipeline.with(
            [IntentRegistration { BusyHandler() }],
            ledger: self.ledger,
            tracing: self.tracing(share: 1)
        ) { pipeline in
            try await self.converse(pipeline, request: Self.headers("00-zz-zz-01"), answer: Self.headers(Self.other))
            let spans = try await self.spans(of: pipeline)
            let root = try #require(spans.first { $0.name == "interaction" })
            let home = HomePartition.of(user: "u1", count: 4)
            #expect(root.context == TraceContext(deployment: pipeline.deployment.id, position: "\(home):0"))
            #expect(root.parent == nil)
            #expect(root.attributes.get("intent") == "GreetIntent")
            #expect(spans.filter { $0.name == "interaction" }.count == 1)
            let turns = Self.processes(spans)
            #expect(turns.map(\.name) == Self.process)
            #expect(turns.allSatisfy { $0.parent?.context == root.context })
            #expect(spans.allSatisfy { $0.context.trace == root.context.trace })
            for record in try await pipeline.records(of: .responses) {
                #expect(record.header("traceparent") == "00-zz-zz-01")
            }
        }
    }

    @Test("R66: what the client does not sample is not traced, whatever the share", arguments: [0, 1])
    func unsampledRequestIsNotTraced(share: Double) async throws {
        try await Pipeline.with(
            [IntentRegistration { BusyHandler() }],
            ledger: self.ledger,
            tracing: self.tracing(share: share)
        ) { pipeline in
            try await self.converse(
                pipeline,
                request: Self.headers(String(Self.client.dropLast() + "0")),
                answer: Self.headers(Self.other)
            )
            try await pipeline.settle()
        }
        #expect(self.queue.first(.max).isEmpty)
    }

    @Test("R66: a failed turn has its error's type, and the next attempt how long it waited")
    func failedTurnHasErrorTypeAndDelay() async throws {
        let lines = LogLines()
        try await Pipeline.with(
            [IntentRegistration { FailingHandler() }],
            tracing: self.tracing(share: 0),
            logger: lines.logger(level: .info)
        ) { pipeline in
            for name in ["passes", "stays"] {
                try await pipeline.send(
                    .intentRequested,
                    subject: InteractionID(name),
                    headers: Self.headers(Self.client),
                    data: [
                        "intent": ["name": "GreetIntent", "parameters": ["name": .string(name)]], "user": ["id": "u1"],
                    ]
                )
                _ = try await pipeline.end(of: InteractionID(name))
            }
            let spans = try await self.spans(of: pipeline)
            let tries = spans.filter { $0.name == "process intents.confirmed" }
            #expect(tries.map { $0.attributes.get("outcome") } == ["parked", "ended", "ended"])
            #expect(tries.map { $0.attributes.get("error.type") } == ["Hiccup", nil, "Defect"])
            #expect(tries.map { $0.attributes.get("final") } == [.bool(false), nil, .bool(true)])
            #expect(tries.map { $0.status?.code } == [.error, nil, .error])
            #expect(tries[1].attributes.get("turn.attempt") == 2)
            let told = lines.all.filter { $0.metadata[TelemetryKey.errorMessage] != nil }
            #expect(told.count == 2)
            #expect(told.allSatisfy { $0.metadata[TelemetryKey.traceID] == "0af7651916cd43dd8448eb211c80319c" })
            let waits = spans.filter { $0.name == "parked" }
            #expect(waits.count == 1)
            #expect(waits.first?.end == tries[1].start)
            #expect(waits.first?.parent?.isRemote == true)
        }
    }

    @Test("R5, R66: a slow turn is one span that notes when it was parked; its transaction is the later one")
    func parkedTurnIsOneSpan() async throws {
        let gate = Gate()
        try await Pipeline.with(
            [IntentRegistration { SlowHandler(gate: gate) }],
            tracing: self.tracing(share: 0)
        ) { pipeline in
            defer { gate.open() }
            try await pipeline.send(
                .intentRequested,
                subject: "slow",
                headers: Self.headers(Self.client),
                data: ["intent": ["name": "GreetIntent", "parameters": ["name": "slow"]], "user": ["id": "u1"]]
            )
            // It is committed as parked.
            try await pipeline.settle()
            gate.open()
            #expect(try await pipeline.end(of: "slow").data["status"] == "success")
            let spans = try await self.spans(of: pipeline)
            let turn = try #require(spans.first { $0.name == "process intents.confirmed" })
            #expect(turn.events.map(\.name) == ["parked"])
            #expect(spans.filter { $0.parent?.context == turn.context }.map(\.name) == ["commit"])
        }
    }

    @Test("R66: a turn whose transaction failed says that nothing was committed, and is traced again")
    func abortedTransactionIsTracedAgain() async throws {
        try await Pipeline.with([IntentRegistration { GreetHandler() }], tracing: self.tracing(share: 0)) { pipeline in
            pipeline.memory.inject(.outcomeUnknown(applied: false))
            try await pipeline.send(
                .intentRequested,
                subject: "i1",
                headers: Self.headers(Self.client),
                data: ["intent": ["name": "GreetIntent", "parameters": ["name": "Jeff"]], "user": ["id": "u1"]]
            )
            #expect(try await pipeline.end(of: "i1").data["status"] == "success")
            let spans = try await self.spans(of: pipeline)
            let first = spans.filter { $0.name == "process intents.requests" }
            #expect(first.map { $0.attributes.get("result") } == ["dropped", "committed"])
            #expect(spans.filter { $0.name == "commit" }.count == 3)
        }
    }

    @Test("R66: a program's own tracer receives every span, and each of them ends")
    func customTracerReceivesEverySpan() async throws {
        let tracer = InMemoryTracer()
        try await Pipeline.with(
            [IntentRegistration { BusyHandler() }],
            ledger: self.ledger,
            tracing: TurnTracing(tracer: tracer, sampler: TraceSampler(share: 1))
        ) { pipeline in
            try await self.converse(pipeline, request: [])
        }
        let names = tracer.finishedSpans.map(\.operationName)
        // A stage ends its spans after its commit, from which the next stage reads: in any order.
        #expect(names.filter { $0.hasPrefix("process ") }.sorted() == Self.process.sorted())
        #expect(names.contains("own"))
        #expect(tracer.activeSpans.isEmpty)
    }
}
