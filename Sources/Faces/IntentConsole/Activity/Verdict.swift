internal import IntentEvents
internal import IntentKit
internal import IntentOperations
internal import IntentRuntime

/// Whether a deployment is healthy, and the reasons why it is not (R81e).
struct Verdict: Sendable, Equatable {
    enum Severity: Int, Comparable, Sendable {
        /// Something is not known, or not known to be current.
        case unknown
        /// Somebody should look at it.
        case warning
        /// Users are not served, or soon will not be.
        case fault

        static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }

    struct Reason: Sendable, Equatable {
        var severity: Severity
        var text: String
        /// The page with more about it.
        var path: String?
    }

    /// The reasons, the most severe first; empty for a healthy deployment.
    let reasons: [Reason]

    /// The worst of the reasons; nil for a healthy deployment.
    var severity: Severity? { self.reasons.first?.severity }

    /// The age from which a figure does not count as current.
    static let maximumAge = Monitor.maximumProbeAge.milliseconds
    /// The number of unread records from which a group counts as behind.
    static let lateLag: Int64 = 1_000
    /// The share of completed interactions that may end with an error.
    private static let acceptedErrors = 0.05
    /// The most unhealthy lanes, brokers and stores that are listed.
    private static let maximumLines = 8

    /// Judges what is known.
    ///
    /// - Parameters:
    ///   - known: What is known.
    ///   - now: The time.
    ///   - prefix: The prefix of the groups' names, which are shown without it.
    init(_ known: ActivityFeed.Snapshot, now: Timestamp, prefix: String) {
        let reasons =
            Self.records(known, now) + Self.groups(known, now, prefix) + Self.health(known, now)
            + Self.activity(known, now)
        // A stable order, so that a page does not change without a reason.
        self.reasons = reasons.enumerated()
            .sorted { ($1.element.severity, $0.offset) < ($0.element.severity, $1.offset) }.map(\.element)
    }

    private static func records(_ known: ActivityFeed.Snapshot, _ now: Timestamp) -> [Reason] {
        if let problem = known.problem {
            return [Reason(severity: .fault, text: "The records cannot be read: \(problem)")]
        }
        if known.hasNoRecords {
            let text = "There are no records yet: no recorder has run on this data directory."
            return [Reason(severity: .unknown, text: text)]
        }
        return Self.isCurrent(known.recordsAt, now) ? [] : [Self.old("Counts of requests", known.recordsAt, now)]
    }

    private static func groups(_ known: ActivityFeed.Snapshot, _ now: Timestamp, _ prefix: String) -> [Reason] {
        var reasons: [Reason] = []
        if let problem = known.lagProblem {
            reasons.append(Reason(severity: known.isBrokerAway ? .fault : .unknown, text: problem))
        }
        guard Self.isCurrent(known.groupsAt, now) else {
            let isExplained = known.lagProblem != nil && known.groupsAt == nil
            return reasons + (isExplained ? [] : [Self.old("Lag and members of the groups", known.groupsAt, now)])
        }
        let conditions = known.groups.conditions
        guard !known.isNew else {
            let text = "No workers run yet. Start them with `intentd up`, or with `intentd work`."
            return reasons + [Reason(severity: .unknown, text: text)]
        }
        for condition in conditions {
            let name = condition.group.text.trimmingPrefix(prefix + ".")
            if condition.hasNoConsumers {
                let waiting = condition.lag == 1 ? "1 record waits" : "\(condition.lag) records wait"
                let isWebhook = condition.group == .webhooks(prefix: prefix)
                let advice =
                    isWebhook
                    ? "Start a gateway with gateway.webhooks.url, or delete the group"
                    : "Start a worker: intentd work \(name)"
                let text = "\(name) has no consumers: \(waiting). \(advice)"
                reasons.append(Reason(severity: .fault, text: text))
            } else if condition.lag >= Self.lateLag {
                reasons.append(Reason(severity: .warning, text: "\(name) has a lag of \(condition.lag) records."))
            }
        }
        return reasons
    }

    private static func health(_ known: ActivityFeed.Snapshot, _ now: Timestamp) -> [Reason] {
        guard let healthAt = known.healthAt else { return [] }
        guard Self.isCurrent(healthAt, now) else { return [Self.old("Health of the processes", healthAt, now)] }
        let lines = known.health.compactMap { line in
            line.hasPrefix("NOT OK: ") ? String(line.dropFirst("NOT OK: ".count)) : nil
        }
        let more = lines.count - Self.maximumLines
        let pauses = Set(known.health.compactMap(ProcessHealth.pause(in:))).sorted()
        return lines.prefix(Self.maximumLines).map { Reason(severity: .fault, text: $0) }
            + (more > 0 ? [Reason(severity: .fault, text: "\(more) more under Health")] : [])
            + pauses.prefix(Self.maximumLines).map { Reason(severity: .warning, text: $0, path: "/pauses") }
    }

    private static func activity(_ known: ActivityFeed.Snapshot, _ now: Timestamp) -> [Reason] {
        var reasons: [Reason] = []
        let recent = known.series.total(.minutes, now: now)
        // Those that operators have marked as handled need nobody (R84e).
        let unhandled = known.letters.map { $0 - (known.handled ?? 0) } ?? recent.letters
        let new = min(recent.letters, unhandled)
        if new > 0 {
            let letters = new == 1 ? "1 dead letter" : "\(new) dead letters"
            let text = "\(letters) in the last 15 minutes."
            reasons.append(Reason(severity: .warning, text: text, path: "/dead-letters"))
        }
        if Double(recent.failed) > Double(recent.ended) * Self.acceptedErrors {
            let share = HTML(number: Double(recent.failed) / Double(recent.ended) * 100).text
            let text =
                "\(recent.failed) of \(recent.ended) interactions of the last 15 minutes ended with an error "
                + "(\(share) %)."
            reasons.append(Reason(severity: .warning, text: text, path: "/interactions?code=error&since=15m"))
        }
        return reasons
    }

    /// Whether something that was found out at a time counts as current.
    static func isCurrent(_ at: Timestamp?, _ now: Timestamp) -> Bool {
        at.map { now - $0 <= Self.maximumAge } ?? false
    }

    private static func old(_ what: String, _ at: Timestamp?, _ now: Timestamp) -> Reason {
        let age = at.map { "from \((now - $0) / 1_000) s ago" } ?? "not known yet"
        return Reason(severity: .unknown, text: "\(what): \(age).")
    }
}

extension ActivityFeed.Snapshot {
    /// Whether nothing has run yet: no group has members, and there is nothing to read.
    var isNew: Bool {
        let conditions = self.groups.conditions
        return !conditions.isEmpty && conditions.allSatisfy { $0.hasNoConsumers && $0.lag == 0 } && self.workers.isEmpty
    }
}
