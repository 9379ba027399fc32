internal import IntentEvents
internal import IntentLab
internal import IntentRuntime

/// The parameters of a seed's world: sizes, settings, the rate of faults.
struct SeedPlan {
    /// The number of partitions of each topic.
    var partitions: Int
    /// The number of users.
    var users: Int
    /// The number of interactions that begin.
    var interactions: Int
    /// The number of long tasks that begin.
    var tasks = 0
    /// The number of operators.
    var operators = 0
    /// Whether operators do not resume what they have paused: interactions are held until they are too old.
    var leavesPauses = false
    /// The processes with their roles.
    var processes: [[MemberRole]]
    /// The settings of the stages.
    var settings: RuntimeSettings
    /// The milliseconds after which a silent lane loses its partitions.
    var sessionTimeout: Int
    /// The probability of a fault at each point where one is possible.
    var faultRate: Double
    /// The mean time between faults that happen at any time.
    var meanTimeBetweenFaults: Duration
    /// The time at which faults stop.
    var quietAfter: Duration
    /// The largest duration of a step, in microseconds.
    var longestStep: Int64
    /// Whether users are evicted from memory as soon as they are not needed.
    var spills: Bool

    /// The formats that a process reads and writes.
    ///
    /// In a third of the seeds a deployment is in the middle of a change of formats: all processes read two, and every
    /// second one writes the newer. Earlier draws decide, so that seeds keep their stories.
    func formats(ofStart number: Int) -> RecordFormats {
        guard self.asksBack else { return .current }
        return RecordFormats(reads: 1...3, writes: 2 + number % 2)
    }

    /// Whether handlers ask back: where every process writes at least format 2.
    var asksBack: Bool { self.tasks > 0 || self.interactions.isMultiple(of: 3) }

    /// The plan with long tasks besides: drawn from numbers of their own.
    func adding(tasks: Int) -> SeedPlan {
        var plan = self
        plan.tasks = tasks
        return plan
    }

    /// The plan with operators besides: drawn from numbers of their own.
    func addingOperators(_ random: inout SeededNumbers) -> SeedPlan {
        var plan = self
        plan.operators = random.pick([1, 1, 2])
        plan.leavesPauses = random.happens(0.2)
        if plan.leavesPauses { plan.settings.parkedMaxAge = .seconds(random.pick([45, 90])) }
        return plan
    }

    /// The plan for one long task on one process, in which nothing goes wrong but what is planned.
    var forCrashPoints: SeedPlan {
        var plan = self
        plan.users = 1
        plan.interactions = 0
        plan.tasks = 1
        plan.partitions = 1
        plan.processes = Self.deployments[0]
        plan.faultRate = 0
        plan.quietAfter = .seconds(40)
        plan.spills = false
        // A process is down for ten seconds at most.
        plan.settings.handlerTimeout = .seconds(120)
        plan.settings.promptTimeout = .seconds(120)
        return plan
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
            // Earlier draws decide, so that seeds keep their stories.
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
