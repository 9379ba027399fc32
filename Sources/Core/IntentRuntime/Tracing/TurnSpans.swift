internal import IntentEvents
internal import IntentKit
internal import Synchronization
internal import Telemetry
internal import Tracing

/// The spans of one turn that is traced (R66).
///
/// The turn's own span begins with the turn and ends after its commit. If the turn's result is dropped, nothing refers
/// to these spans any more, and the span ends with them.
package final class TurnSpans: Sendable {
    private typealias Instant = DefaultTracerClock.Timestamp

    /// A span that ends before the turn's own one begins.
    private struct Wait {
        var name: String
        var since: Timestamp
        var until: Timestamp
    }

    private let tracing: TurnTracing
    private let origin: TraceOrigin
    private let clock: any RuntimeClock
    /// When the turn began, by both clocks.
    private let at: Timestamp
    private let began: Duration
    /// The waits before the turn whose lengths are known, the earliest first; none is longer than a day.
    private let waits: Mutex<[Wait]>
    /// The context in which the turn's span is.
    private let surroundings: ServiceContext
    /// The name of the first span of a trace that begins here.
    private let rootName: String
    /// Where the turn's event was read.
    private let eventAttributes: SpanAttributes
    private let span: any Span
    private let isCommitted = Atomic(false)
    /// Whether the turn makes the first span of a trace that begins here: it has opened the interaction, or is about
    /// none.
    private let isFirst: Atomic<Bool>

    /// Starts the span of a turn.
    init(
        _ tracing: TurnTracing,
        _ origin: TraceOrigin,
        of input: TurnInput,
        in environment: StageEnvironment,
        at: Timestamp,
        began: Duration,
        hasInteraction: Bool
    ) {
        self.isFirst = Atomic(!hasInteraction)
        self.rootName = hasInteraction ? "interaction" : "event"
        self.tracing = tracing
        self.origin = origin
        self.clock = environment.clock
        self.at = at
        self.began = began
        let since = input.firstTriedAt ?? input.stored.timestamp
        self.waits = Mutex(
            Self.isTraced(from: since, to: at)
                ? [Wait(name: input.firstTriedAt == nil ? "queued" : "parked", since: since, until: at)] : []
        )
        self.surroundings = tracing.serviceContext(origin.context)
        let position = input.stored.position
        let topic = position.topic.name(prefix: environment.prefix).text
        self.span = tracing.tracer.startSpan(
            "process \(topic)",
            context: self.surroundings,
            ofKind: .consumer,
            at: Self.instant(began, at: at, began: began)
        )
        self.eventAttributes = [
            TelemetryKey.messagingSystem: "kafka",
            TelemetryKey.topic: .string(topic),
            TelemetryKey.messagePartition: .string(String(position.partition)),
            TelemetryKey.offset: .int64(position.offset),
            TelemetryKey.group: .string(environment.stage.group(prefix: environment.prefix).text),
            TelemetryKey.stage: .string(environment.stage.rawValue),
        ]
        var attributes = self.eventAttributes
        attributes[TelemetryKey.operation] = "process"
        attributes[TelemetryKey.operationType] = "process"
        self.span.attributes = attributes
    }

    deinit {
        guard !self.isCommitted.load(ordering: .relaxed) else { return }
        self.span.attributes[TelemetryKey.result] = "dropped"
        self.span.end(at: self.instant(self.clock.uptime))
    }

    package var traceID: String { self.origin.context.trace.text }

    /// Links the context with which the turn's event came, if it is another one than the interaction's.
    func link(_ headers: [String: String]) {
        guard let context = TraceContext(headers: headers), context != self.origin.context else { return }
        self.span.addLink(SpanLink(context: self.tracing.serviceContext(context), attributes: [:]))
    }

    /// Runs a handler: what it traces itself belongs to the turn.
    func within<Value>(_ body: () async throws -> Value) async throws -> Value {
        try await self.within(self.span, body)
    }

    private func within<Value>(_ span: any Span, _ body: () async throws -> Value) async throws -> Value {
        try await withTracer(self.tracing.tracer) { () async throws in
            try await ServiceContext.withValue(span.context, operation: body)
        }
    }

    /// Runs one call of a handler in a span of its own.
    func measure<Value>(
        _ kind: JournalRead.Kind,
        _ name: String,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let span = self.tracing.tracer.startSpan(
            "\(kind.rawValue) \(name)",
            context: self.span.context,
            ofKind: .internal,
            at: self.instant(self.clock.uptime)
        )
        defer { span.end(at: self.instant(self.clock.uptime)) }
        do {
            return try await self.within(span, body)
        } catch {
            span.attributes[TelemetryKey.errorType] = error.typeName
            span.setStatus(SpanStatus(code: .error))
            throw error
        }
    }

    func record(_ record: TurnDraft, _ ending: InteractionEnd?, _ failure: TurnFailure?, intent: String?) {
        var attributes = self.span.attributes
        attributes[TelemetryKey.intent] = intent
        attributes[TelemetryKey.interaction] = record.interactionID?.text
        attributes[TelemetryKey.outcome] = record.outcome.rawValue
        // Clients choose the ids of their own events.
        if record.position.topic != .requests { attributes[TelemetryKey.messageID] = record.eventID }
        if record.attempt > 1 { attributes[TelemetryKey.attempt] = record.attempt }
        if let ending {
            attributes[TelemetryKey.code] = ending.code
            attributes[TelemetryKey.endReason] = ending.reason.rawValue
        }
        if let failure {
            attributes[TelemetryKey.errorType] = failure.errorType
            attributes[TelemetryKey.isFinal] = failure.isFinal
            self.span.setStatus(SpanStatus(code: .error))
        }
        self.span.attributes = attributes
        if record.opened { self.isFirst.store(true, ordering: .relaxed) }
    }

    /// Records the wait that ends with the turn's event, under the name of its state (R80).
    func record(_ awaited: InteractionTime) {
        guard Self.isTraced(from: awaited.since, to: awaited.until) else { return }
        let wait = Wait(name: awaited.state.rawValue, since: awaited.since, until: awaited.until)
        self.waits.withLock { $0.insert(wait, at: 0) }
    }

    private static func isTraced(from since: Timestamp, to end: Timestamp) -> Bool {
        since < end && end - since <= ClientClock.tolerance
    }

    func record(asked kind: PromptKind) {
        self.span.addEvent(
            SpanEvent(
                name: "prompt issued",
                at: self.instant(self.clock.uptime),
                attributes: [TelemetryKey.promptKind: .string(kind.rawValue)]
            )
        )
    }

    /// Records that the turn was parked while it ran.
    func record(parkedAt time: Timestamp) {
        // Otherwise it was parked before this try.
        guard time >= self.at else { return }
        self.span.addEvent(SpanEvent(name: "parked", at: Self.instant(time)))
    }

    /// Ends the spans: the turn was committed in a transaction of so many records.
    func commit(from beginning: Duration, to end: Duration, records: Int) {
        self.isCommitted.store(true, ordering: .relaxed)
        let tracer = self.tracing.tracer
        let began = self.instant(self.began)
        let ended = self.instant(end)
        let commit = tracer.startSpan("commit", context: self.span.context, at: self.instant(beginning))
        commit.attributes[TelemetryKey.messageCount] = records
        commit.end(at: ended)
        var attributes = self.span.attributes
        var subject: SpanAttributes = [:]
        for key in [TelemetryKey.intent, TelemetryKey.interaction] { subject.set(key, value: attributes.get(key)) }
        attributes[TelemetryKey.result] = "committed"
        self.span.attributes = attributes
        self.span.end(at: ended)
        let waits = self.waits.withLock { $0 }
        for wait in waits {
            let span = tracer.startSpan(wait.name, context: self.surroundings, at: Self.instant(wait.since))
            var attributes = self.eventAttributes
            attributes.merge(subject)
            span.attributes = attributes
            span.end(at: wait.until == self.at ? began : Self.instant(wait.until))
        }
        // A tracer that makes all ids itself has no such span.
        guard !self.origin.isClients, self.isFirst.load(ordering: .relaxed), let tracer = tracer as? any RootTracer
        else { return }
        let start = waits.first.map { Self.instant($0.since) } ?? began
        let root = tracer.startRoot(self.rootName, as: self.origin.context, at: start)
        root.attributes = subject
        root.end(at: ended)
    }

    // MARK: Times

    /// A time on the monotonic clock, as time since 1970: the difference to the turn's beginning is exact.
    private func instant(_ uptime: Duration) -> Instant { Self.instant(uptime, at: self.at, began: self.began) }

    private static func instant(_ uptime: Duration, at: Timestamp, began: Duration) -> Instant {
        Instant(nanosecondsSinceEpoch: UInt64(max(0, at.milliseconds * 1_000_000 + (uptime - began).nanoseconds)))
    }

    private static func instant(_ time: Timestamp) -> Instant {
        Instant(nanosecondsSinceEpoch: UInt64(max(0, time.milliseconds)) &* 1_000_000)
    }
}
