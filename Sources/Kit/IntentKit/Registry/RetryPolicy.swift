/// How often, how soon and for how long `handle` is tried again after a ``TransientError`` (R76).
///
/// ```swift
/// IntentRegistration(version: "2", retry: RetryPolicy(attempts: 20, first: .seconds(1), longest: .seconds(2))) {
///     UCSendMessageIntentHandler()
/// }
/// ```
/// A delay of 5 s or more does not hold up the user's other conversations: the interaction waits by itself, and the user
/// gets a response once, in words, and again at the end. That needs `formats.write: 2`; with format 1 a policy ends after 30 s.
///
/// It belongs to the handler's decisions: change ``IntentRegistration/handlerVersion`` with it, so that an audit tells
/// the two apart. `resolve` and `confirm` keep the default, because a user waits at a screen.
public struct RetryPolicy: Hashable, Sendable {
    /// The default: 8 attempts within 30 s.
    public static let standard = RetryPolicy()

    /// The largest number of attempts, with the first one.
    public var attempts: Int
    /// The delay before the second attempt.
    public var first: Duration
    /// By how much each delay is longer than the one before.
    public var factor: Double
    /// The longest delay.
    public var longest: Duration
    /// The time from the first attempt after which no other one begins.
    public var within: Duration

    /// Sets the policy; half of each delay is by chance, from one half of it to one and a half.
    public init(
        attempts: Int = 8,
        first: Duration = .milliseconds(500),
        factor: Double = 2,
        longest: Duration = .seconds(4),
        within: Duration = .seconds(30)
    ) {
        self.attempts = attempts
        self.first = first
        self.factor = factor
        self.longest = longest
        self.within = within
    }

    package static let attemptBounds = 1...1_000
    package static let factorBounds = 1.0...10.0
    package static let shortestDelay = Duration.milliseconds(1)
    package static let longestWithin = Duration.seconds(7 * 86_400)

    /// What is wrong with it; nil when nothing is.
    package var problem: String? {
        if !Self.attemptBounds.contains(self.attempts) { return "attempts is a number from 1 to 1000" }
        if !Self.factorBounds.contains(self.factor) { return "factor is a number from 1 to 10" }
        if self.first < Self.shortestDelay { return "first is at least a millisecond" }
        if self.longest < self.first { return "longest is at least as long as first" }
        if self.within < self.first { return "within is at least as long as first" }
        if self.within > Self.longestWithin { return "within is at most 7 days" }
        return nil
    }

    /// The policy of a turn that cannot wait outside of the queue of its user.
    package func cut(to within: Duration) -> RetryPolicy {
        var policy = self
        policy.within = min(self.within, within)
        return policy
    }

    /// The delay after an attempt, without its random part.
    package func delay(after attempt: Int) -> Duration {
        var delay = self.first
        for _ in 1..<max(attempt, 1) {
            guard delay < self.longest else { break }
            delay = delay * self.factor
        }
        return min(delay, self.longest)
    }
}
