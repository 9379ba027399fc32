import IntentEvents
import Testing

@testable import IntentConsole
@testable import IntentRecords

@Suite("Counting activity")
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

    @Test("Records are counted in every window that reaches back to them")
    func countsRecordsInEveryWindow() {
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

    @Test("Quantiles are within one step of what was counted")
    func quantilesAreWithinOneStep() throws {
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

    @Test("A chart has the last complete steps, whatever was forgotten", arguments: ActivitySeries.Span.allCases)
    func steps(_ span: ActivitySeries.Span) {
        // In the middle of a step.
        let now = Timestamp(milliseconds: Self.now.milliseconds / span.step * span.step + span.step * 2 / 5)
        let reach = Int64(span.count + 1) * span.step
        // Some are older than any chart; some have a clock that is ahead, by less than a step and by more.
        let times = stride(from: -reach - 2 * span.step, to: 2 * span.step, by: Int(span.step / 4)).map { now + $0 }
        var series = ActivitySeries()
        for time in times {
            let row = ActivityRow(
                row: 1,
                topic: .requests,
                type: EventType.intentRequested.rawValue,
                timestamp: time,
                stage: nil,
                isTerminal: false,
                firstWordAfter: nil
            )
            series.add(row, now: now)
        }
        series.forget(before: now)
        let counted = times.filter { $0 - now < span.step && now - $0 < reach }
        for shown in [now, now + span.step, now + 2 * span.step] {
            let last = shown.milliseconds / span.step
            let steps = series.steps(span, now: shown)
            #expect(steps.map(\.at.milliseconds) == (last - Int64(span.count)..<last).map { $0 * span.step })
            for step in steps {
                let count = counted.count { (0..<span.step).contains($0 - step.at) }
                #expect(step.step.requests == count, "\(step.at)")
            }
        }
    }

    @Test("The last minute is the sum of its steps")
    func lastMinute() {
        let rows = [
            Self.row(.requests, .intentRequested, ago: 60_000), Self.row(.requests, .promptAnswered, ago: 51_000),
            Self.row(.resolved, .intentResolved, ago: 45_000), Self.row(.confirmed, .intentConfirmed, ago: 35_000),
            Self.row(.responses, .promptIssued, ago: 34_000, wait: 8),
            Self.row(.responses, .intentResponded, ago: 25_000, isTerminal: true, wait: 900),
            Self.row(.responses, .intentResponded, ago: 24_000, wait: 30),
            Self.row(.journal, .turnJournaled, ago: 15_000, stage: "resolve"),
            Self.row(.journal, .turnJournaled, ago: 5_000, stage: "resolve"),
            Self.row(.journal, .turnJournaled, ago: 4_000, stage: "handle"), Self.row(.deadLetters, nil, ago: 3_000),
        ]
        var series = ActivitySeries()
        var whole = ActivitySeries.Step()
        for row in rows {
            series.add(row, now: Self.now)
            whole.add(row)
        }
        series.add(Self.row(.requests, .intentRequested, ago: 61_000), now: Self.now)
        #expect(series.lastMinute(now: Self.now) == whole)
        #expect((whole.ended, whole.outbound, whole.firstWord.total) == (1, 3, 3))
        #expect(whole.turns == ["resolve": 2, "handle": 1])
    }

    @Test("A quantile is the value that so large a share does not exceed, however few values there are")
    func quantilesOfFew() throws {
        for count in 1...12 {
            // So far apart that each has a bucket of its own.
            let values = (0..<count).map { Int64(1) << (2 * $0) }
            var histogram = LatencyHistogram()
            for value in values.reversed() {
                var one = LatencyHistogram()
                one.add(value)
                histogram.add(one)
            }
            #expect(histogram.total == count)
            for (index, value) in values.enumerated() {
                // More than the values before it, and no more than with it.
                for share in [Double(index) + 0.25, Double(index) + 0.75] {
                    let found = try #require(histogram.quantile(share / Double(count)))
                    #expect(found >= Double(value) && found < Double(value) * 1.19, "\(share) of \(count)")
                }
            }
        }
    }
}
