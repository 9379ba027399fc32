import IntentEvents
import IntentKit
import IntentRuntime
import LocalHTTP
import Testing

@testable import IntentAudit
@testable import IntentConsole
@testable import IntentOperations
@testable import IntentRecords

@Suite("The console's pages, made from values")
struct PagesTests {
    /// Nothing that came from outside is markup: no tag that we do not write, no direction turned.
    private static func expectSafe(_ html: IntentKit.HTML, _ location: SourceLocation = #_sourceLocation) {
        #expect(!html.text.contains("<img"), sourceLocation: location)
        #expect(!html.text.contains("<script>"), sourceLocation: location)
        #expect(!html.text.contains("\u{202E}"), sourceLocation: location)
        #expect(!html.text.contains(" style="), "our own policy would not let it", sourceLocation: location)
        #expect(!html.text.contains("onclick"), sourceLocation: location)
        #expect(html.text.utf8.count < 300 << 10, sourceLocation: location)
    }

    private static func count(_ part: String, in text: String) -> Int { text.split(separator: part).count - 1 }

    @Test("A list with hostile names, its filters and its next page")
    func listsHostileNamesFiltersAndPages() {
        let query = Fields([("user", Samples.hostile), ("text", Samples.hostile)])
        let found = InteractionPage(
            interactions: [
                Samples.interaction(Samples.hostile), Samples.interaction("open", status: nil, ended: false),
            ],
            next: .init(requestedAt: Samples.start, row: 7),
            isCutShort: false
        )
        let page = InteractionsPage(query: query, found: found, intents: [Samples.hostile]).page(in: Samples.frame)
        Self.expectSafe(page)
        #expect(page.text.contains("/interactions/3/17"))
        #expect(page.text.contains("after=\(Samples.start.milliseconds).7"))
        #expect(page.text.contains("1 d 1 h"))
        #expect(page.text.contains("awaiting a value"))
    }

    @Test("R90: a list in chosen columns, with saved queries, and a form that saves only where that is allowed")
    func listsChosenColumns() {
        let query = Fields([("intent", Samples.hostile), ("p-note", Samples.hostile), ("columns", "user,note")])
        let found = InteractionPage(interactions: [Samples.interaction()], next: nil, isCutShort: false)
        var page = InteractionsPage(query: query, found: found, intents: [])
        page.searchable = ["note", Samples.hostile]
        page.columns = [.user, .parameter("note"), .parameter("card"), .status]
        page.masking = Samples.masking
        page.saved = [(name: Samples.hostile, query: InteractionsPage.query(query))]
        for token in ["t", nil] {
            page.formToken = token
            let html = page.page(in: Samples.frame)
            Self.expectSafe(html)
            #expect(!html.text.contains("4111"))
            #expect(html.text.contains("data-label=\"note\""))
            #expect(html.text.contains("href=\"/interactions?intent=%22"))
            #expect(html.text.contains("name=\"saveAs\"") == (token != nil))
        }
    }

    @Test("A search that reached its row limit says how far back it has looked")
    func limitedSearchSaysHowFarItReached() {
        let found = InteractionPage(interactions: [], next: .init(requestedAt: Samples.start, row: 7), isCutShort: true)
        let page = InteractionsPage(query: Fields([("text", "x")]), found: found, intents: []).page(in: Samples.frame)
        #expect(page.text.contains("Search further back"))
        #expect(!page.text.contains("No interactions match"))
    }

    @Test(
        "Times are read as people write them",
        arguments: [
            ("2026-11-21", Timestamp("2026-11-21T00:00:00Z")), ("2026-11-21T12:30", Timestamp("2026-11-21T12:30:00Z")),
            ("2026-11-21T12:30:01Z", Timestamp("2026-11-21T12:30:01Z")), ("15m", Samples.start + -900_000),
            ("2d", Samples.start + -172_800_000), ("6h", Samples.start + -21_600_000), ("0s", Samples.start),
            ("yesterday", nil), ("-1h", nil), ("99999999999h", nil), ("m", nil),
        ] as [(String, Timestamp?)]
    )
    func readsTimesAsPeopleWriteThem(text: String, time: Timestamp?) {
        let known = KnownNames(nil)
        for (field, path) in [
            (.since, \InteractionSearch.since), (.until, \InteractionSearch.until),
        ] as [(InteractionQuery.Field, KeyPath<InteractionSearch, Timestamp?>)] {
            let query = InteractionsPage.query(Fields([(field.rawValue, text)]))
            #expect((try? query.search(known, now: Samples.start))?[keyPath: path] == time)
            if time == nil { #expect(throws: OperationError.self) { try query.search(known, now: Samples.start) } }
        }
    }

    /// A dead letter of a request, or of a record that holds none.
    private static func letter(_ offset: Int64, type: String) -> DeadLetter {
        let record = LogRecord(
            topicPartition: TopicPartition("intents.dead-letters", 0),
            offset: offset,
            timestamp: Samples.start.milliseconds,
            key: nil,
            value: Array(#"{"intent":{"name":"Greet","parameters":{}},"user":{"id":"u1"}}"#.utf8),
            headers: [
                LogHeader("ce_type", type), LogHeader("ce_userid", "u1"), LogHeader("ce_subject", "i1"),
                LogHeader("intentd_error", "handlerFailed"), LogHeader("intentd_interaction", "i1"),
                LogHeader("intentd_request", "0:4"),
                LogHeader("kafka_dlt-original-topic", "intents.requests"),
                LogHeader("kafka_dlt-original-partition", "0"), LogHeader("kafka_dlt-original-offset", "4"),
            ]
        )
        return DeadLetter(record, prefix: "intents")
    }

    @Test("Dead letters that are sent again look good, others do not; as many as are shown may not be all")
    func deadLetters() async throws {
        let letters = (0..<DeadLettersPage.limit)
            .map { RecordedLetter(position: RecordPosition(.deadLetters, 0, Int64($0)), timestamp: Samples.start) }
        let (log, deployment) = try #require(try await Samples.operations(withTopics: true).topics)
        let redrive = try await Redrive(
            [Self.letter(1, type: "intent.requested"), Self.letter(2, type: "no.event")],
            of: deployment,
            on: log,
            key: try await deployment.makeRedriveKey(on: log),
            again: false,
            now: Samples.start
        )
        func text(_ count: Int) -> String {
            var list = DeadLetterList()
            list.items = letters.prefix(count).map { .init($0, detail: nil, redrivenAs: nil) }
            list.names = letters.map(\.name)
            var page = DeadLettersPage(
                query: Fields(),
                list: list,
                intents: [],
                formToken: "t",
                canAsk: true,
                canSend: true
            )
            page.redrive = redrive
            return page.page(in: Samples.frame).text
        }
        #expect(text(1).contains("<code>0/1</code> <span class=\"pill good\">would be redriven as i1~1</span>"))
        #expect(text(1).contains("<code>0/2</code> <span class=\"pill warn\">cannot be redriven: "))
        #expect(text(DeadLettersPage.limit - 1).contains("The newest 199 of 200 are shown"))
        #expect(!text(DeadLettersPage.limit).contains("The newest 200 of"))
    }

    @Test("A conversation shows what people saw, with sensitive values masked")
    func showsConversationWithSensitiveValuesMasked() {
        let page = OneInteractionPage(story: Samples.story, masking: Samples.masking, formToken: "t", canReplay: true)
            .page(in: Samples.frame)
        Self.expectSafe(page)
        #expect(!page.text.contains("4111"))
        // A choice by its number is shown as what was chosen; one that there was not, as its number.
        #expect(page.text.contains("<div>Jeff Hoof</div>"))
        #expect(page.text.contains("Number 100."))
        #expect(page.text.contains("<div>card?</div>"))
        #expect(page.text.contains("sandbox src=\"/views/3/18\""))
        #expect(page.text.contains("name=\"form\" value=\"t\""))
    }

    @Test("Interactions that wait for an operator, masked, with a form only where it is allowed")
    func waitingInteractions() throws {
        var interaction = Interaction(
            id: InteractionID(Samples.hostile),
            request: "0:7",
            startedAt: Samples.start,
            user: RequestingUser(id: Samples.hostile),
            device: RequestingDevice(),
            locale: "en-US",
            intent: IntentSnapshot(name: "Order", parameters: ["note": .string(Samples.hostile)])
        )
        interaction.waiting = HandleWait(
            .operator,
            at: Samples.start + 90_000,
            attempts: 3,
            firstTriedAt: Samples.start,
            position: RecordPosition(.confirmed, 0, 4)
        )
        let waiting = try #require(WaitingInteraction(interaction))
        for canDecide in [true, false] {
            let page = WaitingPage(formToken: "t", canDecide: canDecide, masking: .everything, decided: Samples.hostile)
            let html = page.beginning(in: Samples.frame) + page.rest([waiting])
            Self.expectSafe(html)
            #expect(html.text.contains("name=\"form\" value=\"t\"") == canDecide)
            #expect(html.text.contains("--allow-writes") == !canDecide)
            #expect(html.text.contains(Masking.mask))
        }
        let page = WaitingPage(formToken: "t", canDecide: true, masking: .everything, problem: Samples.hostile)
        Self.expectSafe(page.beginning(in: Samples.frame) + page.rest([]))
        #expect(page.rest([]).text.contains("No interaction waits for an operator."))
        #expect(Frame.unreadable(OperationError(.unavailable, "gone")).text.contains("Cannot read the topic: gone"))
    }

    @Test("The insight of hostile names is safe, links to the interactions, and says where there is nothing")
    func insightIsSafe() {
        var funnel = InteractionInsight.Funnel(intent: Samples.hostile)
        (funnel.requested, funnel.asked, funnel.done, funnel.abandoned, funnel.open) = (4, 3, 1, 1, 1)
        funnel.failures = [.init(reason: Samples.hostile, code: Samples.hostile, count: 1)]
        funnel.abandonments = [.init(kind: "needsValue", parameter: Samples.hostile, count: 1)]
        var insight = InteractionInsight()
        insight.funnels = [funnel]
        insight.isAbandonmentCutShort = true
        let page = InsightPage(insight: insight, span: .day).page(in: Samples.frame)
        Self.expectSafe(page)
        #expect(page.text.contains("25 %") && page.text.contains("/interactions?intent="))
        #expect(page.text.contains("Only the newest 10"))
        let empty = InsightPage(insight: InteractionInsight(), span: .hour).page(in: Samples.frame)
        #expect(empty.text.contains("No interactions in this time."))
    }

    @Test("A vocabulary with hostile words, one that is too long for a page, and none")
    func showsHostileLongAndMissingVocabularies() {
        let hostile = VocabularyEntry(
            spokenPhrase: Samples.hostile,
            pronunciationHint: Samples.hostile,
            vocabularyIdentifier: Samples.hostile
        )
        let many = (0..<VocabularyEntry.maximumCount).map { VocabularyEntry(spokenPhrase: "word \($0)") }
        let beginning = VocabularyPage.beginning(user: Samples.hostile, in: Samples.frame)
        let rest = VocabularyPage.rest([
            .contactName: UserVocabulary(version: "requests/3/17", entries: [hostile]),
            .workoutActivityName: UserVocabulary(version: Samples.hostile, entries: many),
        ])
        Self.expectSafe(beginning + rest)
        #expect(beginning.text.contains("<h1>Vocabulary</h1>"))
        #expect(rest.text.contains("the first 500 are shown"))
        #expect(rest.text.contains("/records/requests/3/17"))
        #expect(rest.text.hasSuffix("</html>"))
        #expect(VocabularyPage.rest([:]).text.contains("This user has no vocabulary."))
        #expect(VocabularyPage.choosing(in: Samples.frame).text.contains("name=\"user\""))
        let broken = Frame.unreadable(NotUnderstood(Samples.hostile))
        Self.expectSafe(broken)
        #expect(broken.text.contains("role=\"alert\"") && broken.text.hasSuffix("</html>"))
    }

    /// The page of an interaction that waits for an answer.
    private static var openPage: OneInteractionPage {
        var story = Samples.story
        story.interaction.endedAt = nil
        story.events.removeLast(2)
        return OneInteractionPage(story: story, masking: Samples.masking, formToken: "t", canReplay: false)
    }

    @Test("A composer offers what can be said, and hides the input of a sensitive parameter")
    func composerHidesSensitiveInput() {
        var page = Self.openPage
        page.hint = "yes, no, or cancel"
        let html = page.page(in: Samples.frame)
        Self.expectSafe(html)
        #expect(html.text.contains("type=\"password\" name=\"typed\""))
        #expect(html.text.contains("value=\"yes\""))
        #expect(html.text.contains("value=\"cancel\""))
    }

    @Test("What was not sent stays in the answer's form, with its id, and the page says why")
    func unsentReplyIsKept() {
        var page = Self.openPage
        page.hint = "a value"
        page.unsent = "Cannot reach the gateway. \(Samples.hostile)"
        page.reply = Fields([("typed", Samples.hostile), ("device", "phone\(Samples.hostile)"), ("id", "k1")])
        let html = page.page(in: Samples.frame)
        Self.expectSafe(html)
        #expect(html.text.contains("role=\"alert\">Cannot reach the gateway. "))
        #expect(html.text.contains("name=\"id\" value=\"k1\""))
        #expect(html.text.contains("name=\"device\" value=\"phone"))
        #expect(!html.text.contains("name=\"typed\" value=\"\""))
    }

    @Test("Where conversations are allowed and there is no gateway, an open interaction says what to set")
    func missingGatewayIsNamed() {
        var page = OneInteractionPage(
            story: Samples.story,
            masking: Samples.masking,
            formToken: "t",
            canReplay: false
        )
        #expect(!page.page(in: Samples.frame).text.contains("console.gateway"))
        page.needsGateway = true
        let text = page.page(in: Samples.frame).text
        #expect(text.contains("<code>console.gateway</code>") && !text.contains("name=\"typed\""))
    }

    @Test("A request that was not sent stays in its form, with its id, and the page says why")
    func unsentRequestIsKept() {
        let hostile: JSONValue = [
            "name": .string(Samples.hostile), "title": .string(Samples.hostile),
            "parameters": [
                ["name": .string(Samples.hostile), "values": [.string(Samples.hostile)]], ["name": "size"],
            ],
        ]
        var page = TalkPage(intents: [hostile], chosen: Samples.hostile, formToken: "t", timeZone: "Asia/Tokyo")
        let empty = page.page(in: Samples.frame)
        Self.expectSafe(empty)
        #expect(empty.text.contains("name=\"timeZone\" value=\"Asia/Tokyo\""))
        #expect(!empty.text.contains(" checked") && Self.count("<option selected>", in: empty.text) == 1)
        page.typed = Fields(
            ["user", "device", "locale", "timeZone", "p-size", "p-\(Samples.hostile)"].map { ($0, Samples.hostile) }
                + [("id", "k1"), ("locked", "yes")]
        )
        page.problem = Samples.hostile
        let html = page.page(in: Samples.frame)
        Self.expectSafe(html)
        #expect(html.text.contains("name=\"id\" value=\"k1\"") && html.text.contains("value=\"yes\" checked"))
        #expect(html.text.contains("role=\"alert\"") && !html.text.contains("value=\"me\""))
        #expect(Self.count("<option selected>", in: html.text) == 2)
    }

    @Test("An overview of a busy deployment, and of one with problems")
    func overviewOfBusyAndFailingDeployments() {
        var known = ActivityFeed.Snapshot()
        let quiet = OverviewPage(known: known, span: .day, now: Samples.start, prefix: "intents")
            .page(in: Samples.frame)
        Self.expectSafe(quiet)
        #expect(quiet.text.contains("still being read"))
        #expect(quiet.text.contains("<h2 id=\"verdict\">Not everything is known</h2>"))
        for ago in stride(from: Int64(10_000), to: 60_000, by: 100) {
            known.series.add(
                ActivityRow(
                    row: ago,
                    topic: .responses,
                    type: EventType.promptIssued.rawValue,
                    timestamp: Samples.start + -ago,
                    stage: nil,
                    isTerminal: true,
                    firstWordAfter: ago / 1_000
                ),
                now: Samples.start
            )
        }
        known.workers = [
            WorkerActivity(
                stage: Samples.hostile,
                partition: 1,
                worker: Samples.hostile,
                turns: 1,
                lastAt: Samples.start
            )
        ]
        func lag(_ group: GroupName, _ topic: TopicName, _ partition: Int, _ lag: Int64) -> GroupLag {
            GroupLag(group: group, partition: TopicPartition(topic, partition), committed: nil, end: lag, lag: lag)
        }
        known.groups = GroupLagReport(
            lags: [
                lag("intents.resolve", "intents.requests", 0, 123_000),
                lag("intents.resolve", "intents.requests", 1, 456),
                lag("intents.resolve", "intents.requests", 2, 0),
                lag("intents.record", TopicName(Samples.hostile), 0, 0),
            ],
            members: [
                (
                    "intents.resolve",
                    [
                        GroupMember(
                            name: Samples.hostile,
                            host: Samples.hostile,
                            partitions: [0, 1, 2, 3, 6].map { TopicPartition("intents.requests", $0) }
                        )
                    ]
                ), ("intents.record", []),
            ],
            transactions: []
        )
        known.health = ["ok: broker: answers", "NOT OK: \(Samples.hostile): stands at 7"]
        known.problem = Samples.hostile
        known.lagProblem = Samples.hostile
        known.open = 12_345
        known.letters = 3
        for span in ActivitySeries.Span.allCases {
            let page = OverviewPage(known: known, span: span, now: Samples.start, prefix: "intents")
                .page(in: Samples.frame)
            Self.expectSafe(page)
            #expect(page.text.contains("12\u{202F}345"))
            #expect(page.text.contains("123\u{202F}456 of requests, 2 partitions"))
            #expect(page.text.contains("0-3, 6"))
            #expect(page.text.contains("no consumers"))
            #expect(page.text.contains("unhealthy"))
        }
    }

    @Test("R93: the operators' log and an interaction's acts are safe; it is acted on only where that is allowed")
    func operatorsLogIsSafe() {
        let act = RecordedAct(
            position: RecordPosition(.signals, 0, 1),
            at: Samples.start,
            act: "redrive",
            by: Samples.hostile,
            via: Samples.hostile,
            reason: Samples.hostile,
            userID: UserID(Samples.hostile),
            interactionID: InteractionID(Samples.hostile),
            request: nil,
            target: "0/7",
            details: nil
        )
        var other = act
        other.target = Samples.hostile
        let query = Fields(["by", "act", "user", "interaction", "since", "until"].map { ($0, Samples.hostile) })
        let (_, problem) = OperatorsPage.filter(query, now: Samples.start)
        #expect(problem?.hasPrefix("unknown act") == true)
        var page = OperatorsPage(query: query, acts: [act, other])
        page.problem = problem
        let html = page.page(in: Samples.frame)
        Self.expectSafe(html)
        #expect(html.text.contains("href=\"/dead-letters/0/7\""))
        var story = Samples.story
        story.acts = [act]
        story.interaction = Samples.interaction(status: nil, ended: false)
        for canAct in [true, false] {
            var one = OneInteractionPage(story: story, masking: Samples.masking, formToken: "t", canReplay: false)
            one.canAct = canAct
            one.refusal = Samples.hostile
            let html = one.page(in: Samples.frame)
            Self.expectSafe(html)
            #expect(html.text.contains("id=\"acts\""))
            #expect(html.text.contains("name=\"do\" value=\"cancel\"") == canAct)
        }
    }

    @Test("Dead letters, an intent, findings and changes with hostile words")
    func otherPagesWithHostileWords() {
        var letter = RecordedLetter(position: RecordPosition(.deadLetters, 1, 2), timestamp: Samples.start)
        letter.error = Samples.hostile
        letter.userID = UserID(Samples.hostile)
        letter.interactionID = InteractionID(Samples.hostile)
        letter.request = "3:17"
        letter.intent = Samples.hostile
        letter.stage = Samples.hostile
        letter.origin = Samples.hostile
        letter.handled = LetterHandling(by: Samples.hostile, at: Samples.start, note: Samples.hostile)
        var list = DeadLetterList()
        list.items = [.init(letter, detail: Samples.hostile, redrivenAs: InteractionID(Samples.hostile))]
        list.groups = DeadLetterGroup.groups([letter]) + DeadLetterGroup.groups([letter])
        let letters = DeadLettersPage(
            query: Fields(DeadLetterFilter.Field.allCases.map { ($0.rawValue, Samples.hostile) }),
            list: list,
            intents: [Samples.hostile],
            formToken: "t",
            canAsk: true,
            canSend: true
        )
        .page(in: Samples.frame)
        Self.expectSafe(letters)
        #expect(letters.text.contains("<td data-label=\"Redriven as\"><a class=\"id\" href=\"/find?interaction=%22"))
        #expect(letters.text.contains("<td data-label=\"Interaction\"><a class=\"id\" href=\"/interactions/3/17\">"))
        let dead = Self.letter(1, type: Samples.hostile)
        let one = DeadLetterPage(
            letter: MaskedLetter(dead, Samples.masking),
            interaction: Samples.interaction(Samples.hostile),
            redrivenAs: InteractionID(Samples.hostile)
        )
        .page(in: Samples.frame)
        Self.expectSafe(one)
        #expect(one.text.contains("<a class=\"id\" href=\"/interactions/3/17\">i1</a>"))
        let intent: JSONValue = [
            "name": .string(Samples.hostile), "title": .string(Samples.hostile),
            "parameters": [["name": .string(Samples.hostile), "values": [.string(Samples.hostile)]]],
            "codes": [.string(Samples.hostile)],
        ]
        let intents = IntentsPage(intents: [intent], canTalk: true, canPause: true)
        Self.expectSafe(intents.page(in: Samples.frame))
        Self.expectSafe(intents.page(of: Samples.hostile, in: Samples.frame) ?? "<img")
        var report = AuditReport()
        report.effects = 1
        #expect(report.summary == "0 turns, 0 records, 0 state entries, 0 rows, 1 effect: no discrepancies")
        report.effects = 0
        report.findings = [AuditFinding(.record, Samples.hostile, Samples.hostile)]
        report.notes = [Samples.hostile]
        let audit = AuditPage(kinds: [.verify], jobs: [], formToken: "t", masking: Samples.masking)
        Self.expectSafe(audit.live(.init(number: 1, kind: .verify, outcome: .verified(report))))
        Self.expectSafe(audit.live(.init(number: 1, kind: .verify, outcome: .failed(Samples.hostile))))
        let changes = [
            ShadowReport.Change(intent: Samples.hostile, then: Samples.hostile, now: "b", interactions: ["x"])
        ]
        Self.expectSafe(OutcomeFlow.drawing(changes, same: 3))
        #expect(OutcomeFlow.drawing(changes, same: 3).text.contains("class=\"band\""))
    }
}
