internal import IntentEvents
internal import IntentRuntime
internal import IntentRecords

/// Counts over time: by ten seconds, by minutes, and by quarters of an hour.
struct ActivitySeries: Sendable {
    /// The time span of a chart.
    enum Span: String, CaseIterable, Sendable {
        /// A quarter of an hour, in steps of ten seconds.
        case minutes = "15m"
        /// An hour, in minutes.
        case hour = "1h"
        /// A day, in quarters of an hour.
        case day = "24h"

        /// The length of a step in milliseconds.
        var step: Int64 {
            switch self {
            case .minutes: 10_000
            case .hour: 60_000
            case .day: 900_000
            }
        }

        /// The number of steps.
        var count: Int {
            switch self {
            case .minutes: 90
            case .hour: 60
            case .day: 96
            }
        }
    }

    /// The counts of one step.
    struct Step: Hashable, Sendable {
        /// Requests for intents.
        var requests = 0
        /// All events that clients sent.
        var inbound = 0
        var prompts = 0
        /// Interactions that ended.
        var ended = 0
        /// Those of them that ended with an error.
        var failed = 0
        /// All events that clients were sent.
        var outbound = 0
        /// Interactions that resolve passed on.
        var resolved = 0
        /// Interactions that confirm passed on.
        var confirmed = 0
        var turns: [String: Int] = [:]
        var letters = 0
        /// The time that people waited for the first response.
        var firstWord = LatencyHistogram()

        mutating func add(_ row: ActivityRow) {
            switch row.topic {
            case .requests:
                self.inbound += 1
                if row.type == EventType.intentRequested.rawValue { self.requests += 1 }
            case .resolved: self.resolved += 1
            case .confirmed: self.confirmed += 1
            case .responses:
                self.outbound += 1
                if row.type == EventType.promptIssued.rawValue { self.prompts += 1 }
                if row.isTerminal { self.ended += 1 }
                if row.isTerminal, row.endReason == EndReason.error.rawValue { self.failed += 1 }
                if let wait = row.firstWordAfter { self.firstWord.add(max(0, wait)) }
            case .journal: if let stage = row.stage { self.turns[stage, default: 0] += 1 }
            case .deadLetters: self.letters += 1
            case .signals, .userActivities, .state: break
            }
        }

        mutating func add(_ other: Self) {
            self.requests += other.requests
            self.inbound += other.inbound
            self.prompts += other.prompts
            self.ended += other.ended
            self.failed += other.failed
            self.outbound += other.outbound
            self.resolved += other.resolved
            self.confirmed += other.confirmed
            self.turns.merge(other.turns, uniquingKeysWith: +)
            self.letters += other.letters
            self.firstWord.add(other.firstWord)
        }
    }

    private var steps: [Span: [Int64: Step]] = [:]

    /// Counts a record, unless it is too old, or from a clock that is ahead by more than a step.
    mutating func add(_ row: ActivityRow, now: Timestamp) {
        for span in Span.allCases {
            let age = now - row.timestamp
            guard age < span.step * Int64(span.count + 1), age > -span.step else { continue }
            self.steps[span, default: [:]][row.timestamp.milliseconds / span.step, default: Step()].add(row)
        }
    }

    /// Forgets steps that no chart shows any more.
    mutating func forget(before now: Timestamp) {
        for span in Span.allCases {
            let first = now.milliseconds / span.step - Int64(span.count) - 1
            self.steps[span] = self.steps[span]?.filter { $0.key >= first }
        }
    }

    /// The steps up to the last complete one, the oldest first.
    func steps(_ span: Span, now: Timestamp) -> [(at: Timestamp, step: Step)] {
        let last = now.milliseconds / span.step
        let known = self.steps[span] ?? [:]
        return ((last - Int64(span.count))..<last)
            .map { index in
                (at: Timestamp(milliseconds: index * span.step), step: known[index] ?? Step())
            }
    }

    /// The counts of a span up to now, the step that is not complete included.
    func total(_ span: Span, now: Timestamp) -> Step {
        let last = now.milliseconds / span.step
        let known = self.steps[span] ?? [:]
        return ((last - Int64(span.count) + 1)...last)
            .reduce(into: Step()) { total, index in
                if let step = known[index] { total.add(step) }
            }
    }

    /// The counts of the last minute, in complete steps of ten seconds.
    func lastMinute(now: Timestamp) -> Step {
        self.steps(.minutes, now: now).suffix(6).reduce(into: Step()) { $0.add($1.step) }
    }
}
