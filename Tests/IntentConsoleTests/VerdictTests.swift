import IntentEvents
import IntentKit
import IntentRuntime
import Testing

@testable import IntentConsole
@testable import IntentOperations
@testable import IntentRecords

@Suite("R81e: the verdict of the overview")
struct VerdictTests {
    private static let now = Samples.start

    /// A deployment in which everything was seen to be healthy a second ago.
    private static var healthy: ActivityFeed.Snapshot {
        var known = ActivityFeed.Snapshot()
        known.groups = Self.groups(members: 1)
        (known.groupsAt, known.healthAt, known.recordsAt) = (Self.now + -1_000, Self.now + -1_000, Self.now + -1_000)
        known.health = ["ok: broker: answers"]
        known.isWhole = true
        return known
    }

    private static func groups(members: Int, except role: WorkerRole? = nil, lag: Int64 = 0) -> GroupLagReport {
        let names = WorkerRole.allCases.map { ($0, $0.group(prefix: "intents")) }
        return GroupLagReport(
            lags: names.map { one, group in
                GroupLag(
                    group: group,
                    partition: TopicPartition("intents.requests", 0),
                    committed: 0,
                    end: lag,
                    lag: one == role ? lag : 0
                )
            },
            members: names.map { one, group in
                let member = GroupMember(name: "w-0", host: "h", partitions: [])
                return (group, Array(repeating: member, count: one == role ? 0 : members))
            },
            transactions: []
        )
    }

    private static func verdict(_ known: ActivityFeed.Snapshot) -> Verdict {
        Verdict(known, now: Self.now, prefix: "intents")
    }

    private static func page(_ known: ActivityFeed.Snapshot) -> String {
        OverviewPage(known: known, span: .minutes, now: Self.now, prefix: "intents").body.text
    }

    private static func row(_ topic: Topic, endReason: String? = nil, ago: Int64 = 6_000) -> ActivityRow {
        ActivityRow(
            row: 1,
            topic: topic,
            type: nil,
            timestamp: Self.now + -ago,
            stage: nil,
            isTerminal: endReason != nil,
            firstWordAfter: nil,
            endReason: endReason
        )
    }

    @Test("What was seen to be healthy a moment ago is healthy, and each figure has its age")
    func healthy() {
        #expect(Self.verdict(Self.healthy).reasons.isEmpty)
        let page = Self.page(Self.healthy)
        #expect(page.contains("<h2 id=\"verdict\">Healthy</h2>"))
        #expect(page.contains("<span class=\"age\">1 s ago</span>"))
        #expect(page.contains("pill good"))
    }

    @Test("R82f: a pause is a warning, once for all processes that have it, and its line is healthy")
    func pausesAreWarnings() {
        var known = Self.healthy
        let text = "intent:Book is paused in handle since 2026-11-28T10:00:00.000Z by ada: maintenance: 1 h"
        known.health = ["ok: w-1 broker: answers", "ok: w-1 pause: \(text)", "ok: w-2 pause: \(text)"]
        #expect(Self.verdict(known).reasons == [Verdict.Reason(severity: .warning, text: text, path: "/pauses")])
        known.health = ["ok: pause: \(text)"]
        #expect(Self.verdict(known).reasons.map(\.text) == [text])
        #expect(Self.page(known).contains("<span class=\"pill good\">ok</span> pause: intent:Book is paused"))
        known.health = ["ok: handle pause-0: is working on 1 partition", "ok: paused: x", "NOT OK: broker: pause: x"]
        #expect(Self.verdict(known).reasons.map(\.severity) == [.fault])
    }

    @Test("What is older than 12 s is marked, and nothing of it is green")
    func oldFiguresAreNotGreen() {
        var known = Self.healthy
        (known.groupsAt, known.healthAt, known.recordsAt) = (Self.now + -27_000, Self.now + -27_000, Self.now + -27_000)
        let verdict = Self.verdict(known)
        #expect(verdict.severity == .unknown)
        #expect(
            verdict.reasons.map(\.text) == [
                "Counts of requests: from 27 s ago.", "Lag and members of the groups: from 27 s ago.",
                "Health of the processes: from 27 s ago.",
            ]
        )
        let page = Self.page(known)
        #expect(page.contains("<span class=\"age stale\">27 s ago</span>"))
        #expect(!page.contains("pill good") && !page.contains("Healthy"))
    }

    @Test(
        "A stage without consumers is a fault, with its backlog, and red in the pipeline",
        arguments: WorkerRole.allCases
    )
    func deadStage(role: WorkerRole) {
        var known = Self.healthy
        known.groups = Self.groups(members: 1, except: role, lag: 12)
        let verdict = Self.verdict(known)
        #expect(verdict.severity == .fault)
        #expect(
            verdict.reasons.map(\.text) == [
                "\(role.rawValue) has no consumers: 12 records wait. Start a worker: intentd work \(role.rawValue)"
            ]
        )
        let picture = PipelinePicture(
            minute: ActivitySeries.Step(),
            groups: known.groups.conditions,
            prefix: "intents"
        )
        #expect(picture.html.text.contains("<rect class=\"box late\""))
        #expect(picture.html.text.contains(">no consumers</text>"))
    }

    @Test("A webhook's group without consumers needs a gateway, and no worker")
    func webhookWithoutGateway() {
        var known = Self.healthy
        let group = GroupName.webhooks(prefix: "intents")
        let partition = TopicPartition("intents.responses", 0)
        known.groups.lags.append(GroupLag(group: group, partition: partition, committed: 0, end: 3, lag: 3))
        known.groups.members.append((group, []))
        let texts = Self.verdict(known).reasons.map(\.text)
        #expect(texts.count == 1 && texts[0].hasPrefix("webhooks has no consumers: 3 records wait."))
        #expect(texts[0].contains("gateway.webhooks.url") && !texts[0].contains("intentd work"))
    }

    @Test("A lost broker is reported in plain words, before the library's error, with the age of the old figures")
    func lostBroker() {
        var known = Self.healthy
        known.groupsAt = Self.now + -20_000
        known.lagProblem = "The broker does not answer."
        known.lagError = "Local: Broker transport failure"
        known.isBrokerAway = true
        let verdict = Self.verdict(known)
        #expect(verdict.severity == .fault)
        #expect(
            verdict.reasons.map(\.text) == [
                "The broker does not answer.", "Lag and members of the groups: from 20 s ago.",
            ]
        )
        let page = Self.page(known)
        #expect(page.contains("<details id=\"broker-error\">"))
        #expect(page.contains("was caught up"))
        #expect(!page.contains("caught up</span>") || !page.contains("pill good\">caught up"))
    }

    @Test("New dead letters and a high share of errors need attention; old ones do not")
    func newDeadLettersAndErrors() {
        var known = Self.healthy
        known.letters = 21
        known.series.add(Self.row(.deadLetters, ago: 16 * 60_000), now: Self.now)
        #expect(Self.verdict(known).reasons.isEmpty)
        known.series.add(Self.row(.deadLetters), now: Self.now)
        known.series.add(Self.row(.responses, endReason: "error"), now: Self.now)
        for _ in 0..<3 { known.series.add(Self.row(.responses, endReason: "nominal"), now: Self.now) }
        let verdict = Self.verdict(known)
        #expect(verdict.severity == .warning)
        #expect(verdict.reasons.first?.text == "1 dead letter in the last 15 minutes.")
        #expect(verdict.reasons.first?.path == "/dead-letters")
        let share = "1 of 4 interactions of the last 15 minutes ended with an error (25"
        #expect(verdict.reasons.last?.text.hasPrefix(share) == true)
        // What operators have handled needs nobody.
        known.handled = 21
        #expect(Self.verdict(known).reasons.map(\.path) == ["/interactions?code=error&since=15m"])
    }

    @Test("A lane that is not ready is a fault, and comes before what is less severe")
    func unhealthyLane() {
        var known = Self.healthy
        known.health = ["ok: broker: answers", "NOT OK: handle w-0: is joining its group"]
        known.series.add(Self.row(.deadLetters), now: Self.now)
        #expect(Self.verdict(known).reasons.map(\.severity) == [.fault, .warning])
        #expect(Self.verdict(known).reasons.first?.text == "handle w-0: is joining its group")
    }

    @Test("A deployment with nothing in it says what to start, and calls nothing unhealthy")
    func newDeployment() {
        var known = Self.healthy
        known.groups = Self.groups(members: 0)
        known.hasNoRecords = true
        known.recordsAt = nil
        known.health = []
        let verdict = Self.verdict(known)
        #expect(verdict.severity == .unknown)
        #expect(verdict.reasons.map(\.text).last?.contains("intentd up") == true)
        let page = Self.page(known)
        #expect(!page.contains("no consumers") && !page.contains("pill bad") && !page.contains("still being read"))
    }
}
