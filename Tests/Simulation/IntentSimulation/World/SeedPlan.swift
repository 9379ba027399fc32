internal import IntentEvents
internal import IntentLab
internal import IntentRuntime

/// How the world of a seed is made: sizes, settings, how much goes wrong.
struct SeedPlan {
    /// How many partitions each topic has.
    var partitions: Int
    /// How many users there are.
    var users: Int
    /// How many interactions begin.
    var interactions: Int
    /// The processes, each with what it does.
    var processes: [[MemberRole]]
    /// What the stages are set to.
    var settings: RuntimeSettings
    /// After how many milliseconds a silent lane loses its partitions.
    var sessionTimeout: Int
    /// How likely a fault is at each point where one can be.
    var faultRate: Double
    /// The mean time between faults that come from nowhere.
    var meanTimeBetweenFaults: Duration
    /// When faults stop.
    var quietAfter: Duration
    /// What a step may take at most, in microseconds.
    var longestStep: Int64
    /// Whether users are evicted from memory as soon as nobody needs them.
    var spills: Bool

    /// Which formats a process reads and writes.
    ///
    /// In a third of the seeds a deployment is in the middle of a change of formats: all read two, and every second
    /// process writes the newer one. What was drawn already decides, so that seeds keep their stories.
    func formats(ofStart number: Int) -> RecordFormats {
        guard self.interactions.isMultiple(of: 3) else { return .current }
        return RecordFormats(reads: 1...2, writes: 1 + number % 2)
    }

    /// Draws a plan.
    init(_ random: inout SeededNumbers) {
        self.partitions = random.pick([1, 1, 2, 3])
        self.users = Int.random(in: 1...4, using: &random)
        self.interactions = Int.random(in: 2...7, using: &random)
        self.processes = random.pick(Self.deployments)
        self.sessionTimeout = random.pick([1_500, 4_000, 8_000])
        self.faultRate = random.pick([0, 0.005, 0.02, 0.06, 0.12])
        self.meanTimeBetweenFaults = .milliseconds(random.pick([400, 1_500, 5_000, 1_000_000]))
        self.quietAfter = .seconds(Int.random(in: 8...25, using: &random))
        self.longestStep = random.pick([2, 40, 40, 1_500])
        self.spills = random.happens(0.3)
        var settings = RuntimeSettings()
        settings.promptTimeout = .seconds(Int.random(in: 3...15, using: &random))
        settings.inProgressAfter = .milliseconds(random.pick([300, 1_000, 2_000]))
        settings.handlerTimeout = .seconds(Int.random(in: 3...10, using: &random))
        settings.appTimeout = .seconds(Int.random(in: 3...10, using: &random))
        settings.maxTries = random.pick([2, 3, 5])
        settings.retryWindow = .seconds(10)
        settings.batchMaxRecords = random.pick([1, 3, 1_000])
        settings.parkAfter = .milliseconds(random.pick([0, 1, 10]))
        settings.handlerConcurrency = random.pick([1, 2, 64])
        settings.queueLimit = random.pick([1, 4, 100])
        settings.maxParked = random.pick([1, 2, 10_000])
        if self.spills {
            settings.stateMemory = random.pick([1, 4_000])
            settings.stateRetention = .zero
            // What was drawn already decides, so that seeds keep their stories.
            settings.queueHead = [1, 2, 8][self.interactions % 3]
            settings.stateLag = [1, 6, 40, 50_000][(self.users + self.interactions) % 4]
        }
        self.settings = settings
    }

    private static let deployments: [[[MemberRole]]] = [
        [[.stage(.resolve), .stage(.confirm), .stage(.handle)], [.recorder]],
        [[.stage(.resolve), .stage(.confirm), .stage(.handle), .recorder]],
        [[.stage(.resolve)], [.stage(.confirm)], [.stage(.handle)], [.recorder]],
        [
            [.stage(.resolve), .stage(.confirm), .stage(.handle)],
            [.stage(.resolve), .stage(.confirm), .stage(.handle)], [.recorder], [.recorder],
        ],
        [
            [.stage(.resolve), .stage(.handle)], [.stage(.confirm), .stage(.handle)],
            [.stage(.resolve), .stage(.confirm), .recorder], [.recorder],
        ],
    ]
}
