internal import IntentLab

/// The script of a long task, from the request's parameter `script`.
struct TaskScript: Hashable {
    /// What follows from the task.
    enum FollowUp: String, CaseIterable {
        /// Nothing.
        case none
        /// Another task begins at once.
        case now
        /// Another task begins some seconds later.
        case later
        /// The same, and it is cancelled at once.
        case cancelled
        /// Another user is asked.
        case another
    }

    /// The number of steps of every task.
    static let steps = 5
    /// The task of which every part succeeds at once.
    static let plain = TaskScript()
    /// The task that fails when everything is done, so that its effects are undone.
    static let undone: TaskScript = {
        var script = TaskScript()
        script.fails = true
        return script
    }()

    /// The duration of each step, in milliseconds.
    var wait = 0
    /// The step after which it fails, so that it is tried again after a long wait; ``steps`` for none.
    var failingStep = TaskScript.steps
    /// The number of attempts that fail there.
    var failures = 0
    var followUp = FollowUp.none
    /// Whether it asks for confirmation.
    var asks = false
    /// Whether it fails after its last step.
    var fails = false

    private init() {}

    /// Draws a script.
    init(_ random: inout SeededNumbers) {
        self.wait = random.pick([0, 0, 20, 300, 1_500])
        if random.happens(0.3) {
            self.failingStep = random.below(Self.steps)
            self.failures = random.pick([1, 1, 2, 9])
        }
        self.followUp = random.happens(0.5) ? random.pick(FollowUp.allCases) : .none
        self.asks = random.coin()
        self.fails = random.happens(0.2)
    }

    /// The parameter's text.
    var text: String {
        "\(self.wait);\(self.failingStep);\(self.failures);\(self.followUp.rawValue);\(self.asks);\(self.fails)"
    }

    /// Reads the parameter's text.
    init?(_ text: String) {
        let parts = text.split(separator: ";").map(String.init)
        guard parts.count == 6, let wait = Int(parts[0]), let failingStep = Int(parts[1]),
            let failures = Int(parts[2]), let followUp = FollowUp(rawValue: parts[3])
        else { return nil }
        self.wait = wait
        self.failingStep = failingStep
        self.failures = failures
        self.followUp = followUp
        self.asks = parts[4] == "true"
        self.fails = parts[5] == "true"
    }
}
