import IntentEvents
import Testing

@testable import IntentConsole
@testable import IntentStore

@Suite("Counting what comes")
struct ActivityTests {
    private static let now = Timestamp(milliseconds: 1_790_000_000_000)

    private static func row(
        _ topic: Topic,
        _ type: EventType?,
        ago: Int64,
        isTerminal: Bool = false,
        stage: String? = nil,
        wait: Int64? = nil
    ) -> ActivityRow {
        ActivityRow(
            row: 1,
            topic: topic,
            type: type?.rawValue,
            timestamp: Self.now + -ago,
            stage: stage,
            isTerminal: isTerminal,
            firstWordAfter: wait
        )
    }

    @Test("Records count where they belong, in every picture that reaches back to them")
    func counts() {
        var series = ActivitySeries()
        let rows = [
            Self.row(.requests, .intentRequested, ago: 15_000), Self.row(.requests, .promptAnswered, ago: 15_000),
            Self.row(.responses, .promptIssued, ago: 14_000, wait: 8),
            Self.row(.responses, .intentResponded, ago: 14_000, isTerminal: true),
            Self.row(.journal, .turnJournaled, ago: 14_000, stage: "resolve"), Self.row(.deadLetters, nil, ago: 14_000),
            Self.row(.requests, .intentRequested, ago: 40 * 60_000),
            Self.row(.requests, .intentRequested, ago: 23 * 3_600_000),
            // From a clock that is ahead, and from long ago.
            Self.row(.requests, .intentRequested, ago: -3_600_000),
            Self.row(.requests, .intentRequested, ago: 90_000_000),
        ]
        for row in rows { series.add(row, now: Self.now) }
        let minute = series.lastMinute(now: Self.now)
        #expect((minute.requests, minute.inbound, minute.prompts, minute.ended, minute.letters) == (1, 2, 1, 1, 1))
        #expect(minute.turns == ["resolve": 1])
        func requests(_ span: ActivitySeries.Span) -> Int {
            // An incomplete step is not shown: read at its end.
            series.steps(span, now: Self.now + span.step).reduce(0) { $0 + $1.step.requests }
        }
        #expect(requests(.minutes) == 1)
        #expect(requests(.hour) == 2)
        #expect(requests(.day) == 3)
        series.forget(before: Self.now + 3_600_000)
        #expect(series.lastMinute(now: Self.now).requests == 0)
        #expect(requests(.day) == 3)
    }

    @Test("Quantiles are within a step of what was counted")
    func quantiles() throws {
        var histogram = LatencyHistogram()
        #expect(histogram.quantile(0.5) == nil)
        for milliseconds in 1...1_000 { histogram.add(Int64(milliseconds)) }
        for share in [0.5, 0.95, 0.99] {
            let found = try #require(histogram.quantile(share))
            #expect(found >= share * 1_000 && found <= share * 1_000 * 1.19)
        }
        histogram.add(-5)
        histogram.add(.max)
        #expect(histogram.total == 1_002)
    }
}
