internal import IntentEvents
internal import IntentKit
package import IntentOperations
internal import IntentRecords
package import IntentRuntime
package import LocalHTTP
internal import ServiceLifecycle

/// The console: pages generated from the records and the topics.
///
/// It reads as any client does: it is not involved in processing events. It changes nothing unless its operations allow
/// that, and then only through a form.
package final class Console: Sendable {
    /// The largest number of clients that follow events at a time.
    static let maximumFollowers = 32
    /// The interval at which a page that is followed is generated again.
    static let followInterval = Duration.seconds(1)
    /// The time after which a stream of events ends by itself, before the server cuts it off: browsers follow again.
    static let followTime = Duration.seconds(540)

    /// The most verdicts of a replay that are kept.
    static let maximumVerdicts = 1_000

    let operations: Operations
    /// What people should know on every page; nil for nothing.
    let notice: String?
    /// The intents that can be asked for.
    let intents: [JSONValue]
    let traces: TraceLink?
    let gate: ConsoleGate
    let records: ConsoleRecords
    let feed: ActivityFeed
    let clock: any RuntimeClock
    let jobs = AuditJobs()
    let followers: ConnectionLimit

    /// Creates a console.
    ///
    /// - Parameters:
    ///   - operations: What it shows and does.
    ///   - gate: Decides which requests are admitted.
    ///   - notice: What people should know on every page; nil for nothing.
    ///   - health: Where the health of processes is known from; nil where nothing reports it.
    ///   - clock: The time.
    package init(
        _ operations: Operations,
        gate: ConsoleGate,
        notice: String? = nil,
        health: HealthSource? = nil,
        clock: any RuntimeClock = SystemRuntimeClock()
    ) {
        self.operations = operations
        self.talk = operations.talk
        self.notice = notice
        self.intents = operations.listings
        self.traces = operations.configuration.text(.consoleTraceUrl).flatMap(TraceLink.init)
        self.gate = gate
        self.records = ConsoleRecords(path: operations.configuration.data.records)
        self.feed = ActivityFeed(self.records, operations, health: health, clock: clock)
        self.clock = clock
        self.followers = ConnectionLimit(Self.maximumFollowers)
    }

    /// Follows the records until the group shuts down.
    package func run() async {
        await cancelWhenGracefulShutdown { await self.feed.run() }
        self.jobs.cancel()
    }

    /// Holds conversations; nil where that is not allowed, and without a gateway.
    let talk: Talk?

    var frame: Frame {
        var sections: [Frame.Section] = [
            .overview, .interactions, .deadLetters, .insight, .intents, .audit, .operators,
        ]
        if self.operations.topics != nil { sections.insert(contentsOf: [.waiting, .pauses], at: 3) }
        if self.talk != nil { sections.append(.talk) }
        let mode: HTML = self.operations.allowsWrites ? "<span>Writes allowed</span>" : "<span>Read-only</span>"
        return Frame(
            sections: sections,
            deployment: self.operations.configuration.prefix,
            foot: "\(mode)<span>All times UTC</span>",
            notice: self.notice
        )
    }

    /// The headers of every response: nothing from other sites, no inline scripts, no forms to other sites, no framing.
    package static let headers: [(name: String, value: String)] = [
        (
            "Content-Security-Policy",
            "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
        ),
        // Unless our own pages send a referrer, browsers send the origin of a form as null.
        ("Referrer-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ]

    package func respond(to request: HTTPServerRequest) async -> HTTPServerResponse {
        if let refusal = self.gate.refusal(request) { return refusal }
        if request.method != .post, let asset = ConsoleAsset(path: request.path) { return asset.response }
        do {
            if let response = try await self.answer(request) { return response }
        } catch let error as StoreError where error.code == .file {
            return self.error(503, "No records yet", "\(error.message)")
        } catch {
            await self.records.forget()
            return self.error(500, "Internal error", "\(String(describing: error))")
        }
        return self.error(
            404,
            "Page not found",
            "<a href=\"/interactions\">Interactions</a> lists what is recorded."
        )
    }

    private func answer(_ request: HTTPServerRequest) async throws -> HTTPServerResponse? {
        let path = request.path
        if request.method == .post { return try await self.act(request) }
        switch path.first {
        case nil: return self.overview(request.query)
        case "interactions" where path.count == 1: return try await self.interactions(request.query)
        case "interactions": return try await self.interaction(Array(path.dropFirst()), request.query)
        case "find" where path.count == 1: return try await self.find(request.query)
        case "records" where path.count == 4: return try await self.record(path)
        case "views" where path.count == 3: return try await self.view(path)
        case "vocabulary" where path.count == 1: return self.vocabulary(request.query)
        case "dead-letters": return try await self.deadLetters(Array(path.dropFirst()), request.query)
        case "waiting" where path.count == 1: return self.waiting(request.query)
        case "pauses" where path.count == 1: return self.pauses(request.query)
        case "operators" where path.count == 1: return try await self.operators(request.query)
        case "insight" where path.count == 1: return try await self.insight(request.query)
        case "intents" where path.count == 1: return HTTPServerResponse(self.intentsPage.page(in: self.frame))
        case "intents" where path.count == 2:
            return self.intentsPage.page(of: path[1], in: self.frame).map { HTTPServerResponse($0) }
        case "audit": return self.audit(Array(path.dropFirst()))
        case "talk" where path.count == 1: return self.talkPage(request.query)
        case "live": return try await self.live(Array(path.dropFirst()), request.query)
        default: return nil
        }
    }

    func error(_ status: Int, _ title: HTML, _ words: HTML) -> HTTPServerResponse {
        HTTPServerResponse(ErrorPage.page(title, words, in: self.frame), status: status)
    }

    private var intentsPage: IntentsPage {
        IntentsPage(intents: self.intents, canTalk: self.talk != nil, canPause: self.operations.allowsWrites)
    }

    private func overview(_ query: Fields) -> HTTPServerResponse {
        let page = self.overview(Self.span(query))
        return HTTPServerResponse(page.page(in: self.frame))
    }

    func overview(_ span: ActivitySeries.Span) -> OverviewPage {
        OverviewPage(
            known: self.feed.snapshot,
            span: span,
            now: self.clock.now,
            prefix: self.operations.configuration.prefix
        )
    }

    private static func span(_ query: Fields) -> ActivitySeries.Span {
        query["span"].flatMap(ActivitySeries.Span.init(rawValue:)) ?? .minutes
    }

    private func operators(_ query: Fields) async throws -> HTTPServerResponse {
        let (filter, problem) = OperatorsPage.filter(query, now: self.clock.now)
        let acts = try await self.records.archive().acts(filter, limit: OperatorsPage.limit)
        var page = OperatorsPage(query: query, acts: problem == nil ? acts : [])
        page.problem = problem
        return HTTPServerResponse(page.page(in: self.frame), status: problem == nil ? 200 : 400)
    }

    private func insight(_ query: Fields) async throws -> HTTPServerResponse {
        let span = query["span"].flatMap(InsightPage.Span.init(rawValue:)) ?? .day
        let insight = try await self.records.archive()
            .insight(since: span.since(self.clock.now), until: nil, intent: query["intent"])
        return HTTPServerResponse(InsightPage(insight: insight, span: span).page(in: self.frame))
    }

    private func find(_ query: Fields) async throws -> HTTPServerResponse? {
        guard let id = query["interaction"] else { return .seeOther("/interactions") }
        guard let found = try await self.records.archive().latest(InteractionID(id)) else { return nil }
        return .seeOther("/interactions/\(found.position.partition)/\(found.position.offset)")
    }

    private func record(_ path: [String]) async throws -> HTTPServerResponse? {
        guard let topic = Topic(rawValue: path[1]), let partition = Int(path[2]), let offset = Int64(path[3]),
            let record = try await self.records.archive().event(at: RecordPosition(topic, partition, offset))
        else { return nil }
        return HTTPServerResponse(RecordPage(record: record, masking: self.operations.masking).page(in: self.frame))
    }

    /// A view drawn by a presenter, for a sandboxed frame: no scripts, no forms, nothing loaded, a page of its own.
    private func view(_ path: [String]) async throws -> HTTPServerResponse? {
        guard let partition = Int(path[1]), let offset = Int64(path[2]),
            let record = try await self.records.archive().event(at: RecordPosition(.responses, partition, offset)),
            let json = record.json, let html = self.operations.masking.masked(json)["view"]?["html"]?.string
        else { return nil }
        var response = HTTPServerResponse(
            type: "text/html; charset=utf-8",
            text: "<!doctype html><meta charset=\"utf-8\"><title>View</title>" + html
        )
        let policy =
            "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; base-uri 'none'; "
            + "form-action 'none'"
        response.headers.append((name: "Content-Security-Policy", value: policy))
        return response
    }

    private func vocabulary(_ query: Fields) -> HTTPServerResponse? {
        guard self.operations.canReplay else { return nil }
        guard let user = query["user"] else { return HTTPServerResponse(VocabularyPage.choosing(in: self.frame)) }
        return HTTPServerResponse(VocabularyPage.beginning(user: user, in: self.frame)) {
            VocabularyPage.rest(try await self.operations.vocabularies(of: UserID(user)))
        }
    }

    /// The interactions that wait for an operator, and what was decided about one of them just now.
    func waiting(_ query: Fields, problem: String? = nil) -> HTTPServerResponse? {
        guard self.operations.topics != nil else { return nil }
        let page = WaitingPage(
            formToken: self.gate.formToken,
            canDecide: self.operations.allowsWrites,
            masking: self.operations.masking,
            decided: query["decided"],
            problem: problem
        )
        return HTTPServerResponse(page.beginning(in: self.frame)) {
            page.rest(try await self.operations.waiting())
        }
    }

    var auditPage: AuditPage {
        var kinds: [AuditJobs.Kind] = []
        if self.operations.topics != nil { kinds.append(.verify) }
        if self.operations.canReplay { kinds += [.replay, .shadow] }
        return AuditPage(
            kinds: kinds,
            jobs: self.jobs.all,
            formToken: self.gate.formToken,
            masking: self.operations.masking
        )
    }

    private func audit(_ path: [String]) -> HTTPServerResponse? {
        if path.isEmpty { return HTTPServerResponse(self.auditPage.page(in: self.frame)) }
        guard path.count == 1, let number = Int(path[0]), let job = self.jobs.job(number) else { return nil }
        return HTTPServerResponse(self.auditPage.page(of: job, in: self.frame))
    }

}
