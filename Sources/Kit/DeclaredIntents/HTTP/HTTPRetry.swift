import IntentKit

/// How a post to `handle` is tried again, and after which failures (R76).
struct HTTPRetry: Hashable, Sendable {
    /// A kind of failure that may pass.
    enum Failure: Hashable, Sendable {
        /// No connection, one that breaks, or an incomplete answer.
        case connection
        /// No answer in time.
        case timeout
        case status(Int)
    }

    var policy = RetryPolicy.standard
    /// The failures after which it is tried again; nil for all that may pass.
    var failures: Set<Failure>?

    /// Whether it is tried again after a failure that may pass.
    func covers(_ failure: Failure) -> Bool { self.failures?.contains(failure) ?? true }

    /// Reads the member `retry`; nil when it is missing.
    static func read(_ handler: inout MemberReader) -> HTTPRetry? {
        guard let json = handler.value("retry") else { return nil }
        var reader = MemberReader(json, at: handler.path.appending("retry"), what: "retry")
        var retry = HTTPRetry()
        if let value = reader.value("attempts") {
            if let attempts = value.integer.flatMap(Int.init(exactly:)), RetryPolicy.attemptBounds.contains(attempts) {
                retry.policy.attempts = attempts
            } else {
                reader.report("a number from 1 to 1000 is expected", "attempts")
            }
        }
        if let value = reader.value("factor") {
            if let factor = value.number, RetryPolicy.factorBounds.contains(factor) {
                retry.policy.factor = factor
            } else {
                reader.report("a number from 1 to 10 is expected", "factor")
            }
        }
        let longest = RetryPolicy.longestWithin / .seconds(1)
        let expected = "of at most 7 days is expected, such as PT1S"
        if let first = reader.duration("first", 0.001...longest, expected) { retry.policy.first = first }
        if let delay = reader.duration("longest", 0.001...longest, expected) { retry.policy.longest = delay }
        if let within = reader.duration("within", 0.001...longest, expected) { retry.policy.within = within }
        retry.failures = Self.readFailures(&reader)
        if reader.problems.isEmpty, let problem = retry.policy.problem { reader.report(problem, at: reader.path) }
        reader.finish()
        handler.report(reader.problems)
        return retry
    }

    private static func readFailures(_ reader: inout MemberReader) -> Set<Failure>? {
        guard let names = reader.array("on") else { return nil }
        var failures: Set<Failure> = []
        for (index, json) in names.enumerated() {
            switch (json.string, json.integer.flatMap(Int.init(exactly:))) {
            case ("connection", _): failures.insert(.connection)
            case ("timeout", _): failures.insert(.timeout)
            case (_, let status?) where HTTPEndpoint.mayPass(status): failures.insert(.status(status))
            default:
                reader.report(
                    "\(ShownText.of(json)) is not one of connection, timeout, 408, 425, 429, 500, 502, 503, 504",
                    at: reader.path.appending("on").appending(index)
                )
            }
        }
        if names.isEmpty { reader.report("at least one is expected; leave on out for all", "on") }
        return failures
    }
}
