package import IntentEvents
package import IntentRuntime
import Synchronization

/// Plays scenarios, many at a time, over one ``ConversationClient``; scenarios of one user one after the other.
package struct ScenarioPlayer: Sendable {
    package struct Configuration: Sendable {
        /// The part of the interactions' ids that distinguishes this run from any other.
        package var runID: String
        /// The number of users whose scenarios are played at once.
        package var concurrency = 512
        /// The longest that a scenario may take.
        package var timeout = Duration.seconds(60)
        /// The time without events for any scenario after which the waiting ones are given up, with their state in the
        /// message; nil to wait until their time is up.
        package var idleTimeout: Duration?

        /// Creates the default configuration with a run id.
        package init(runID: String) {
            self.runID = runID
        }

        /// Creates the default configuration with a random run id.
        package init() {
            self.init(runID: String(UInt32.random(in: 0 ... .max), radix: 16))
        }
    }

    private let client: ConversationClient
    private let configuration: Configuration
    private let clock: any RuntimeClock

    /// Creates a player.
    ///
    /// - Parameters:
    ///   - client: Sends and receives; it runs while scenarios are played.
    ///   - configuration: The player's configuration.
    ///   - clock: Decides when a scenario's time is up.
    package init(
        _ client: ConversationClient,
        _ configuration: Configuration = Configuration(),
        clock: any RuntimeClock = SystemRuntimeClock()
    ) {
        self.client = client
        self.configuration = configuration
        self.clock = clock
    }

    package func interactionID(of scenario: Scenario) -> InteractionID {
        "\(self.configuration.runID)-\(scenario.name)"
    }

    /// Plays scenarios whose names differ.
    ///
    /// - Parameters:
    ///   - scenarios: The scenarios; those of one user are played in this order.
    ///   - onResult: Called with the result of each scenario that has ended, from any task.
    /// - Returns: The results in the order of the scenarios.
    package func play(
        _ scenarios: [Scenario],
        onResult: @escaping @Sendable (ScenarioResult) -> Void = { _ in }
    ) async -> [ScenarioResult] {
        let users = Queue(Self.byUser(scenarios))
        return await withTaskGroup(of: [(Int, ScenarioResult)].self) { group in
            for _ in 0..<max(1, self.configuration.concurrency) {
                group.addTask {
                    var results: [(Int, ScenarioResult)] = []
                    while let indices = users.next() {
                        for index in indices {
                            let result = await self.play(scenarios[index])
                            onResult(result)
                            results.append((index, result))
                        }
                    }
                    return results
                }
            }
            var results: [(Int, ScenarioResult)] = []
            for await some in group { results += some }
            return results.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    package func play(_ scenario: Scenario) async -> ScenarioResult {
        let began = ContinuousClock.now
        let id = self.interactionID(of: scenario)
        let conversation = self.client.open(id: id, userID: scenario.userID)
        defer { conversation.close() }
        var play = ScenarioPlay(scenario, in: conversation, self.configuration, clock: self.clock)
        let outcome = await play.run()
        return ScenarioResult(
            scenario: scenario,
            interactionID: id,
            outcome: outcome,
            transcript: play.transcript,
            duration: .now - began
        )
    }

    /// Users whose scenarios are still to be played.
    private final class Queue: Sendable {
        private let groups: Mutex<ArraySlice<[Int]>>

        init(_ groups: [[Int]]) {
            self.groups = Mutex(groups[...])
        }

        func next() -> [Int]? { self.groups.withLock { $0.popFirst() } }
    }

    /// Each user's scenarios in order; the users with most scenarios first, so that none of them is left to the end.
    private static func byUser(_ scenarios: [Scenario]) -> [[Int]] {
        var users: [UserID: Int] = [:]
        var groups: [[Int]] = []
        var lengths: [Int] = []
        for (index, scenario) in scenarios.enumerated() {
            let length = 2 + (scenario.expect.prompts?.count ?? 1) + (scenario.steps?.count ?? 0)
            if let group = users[scenario.userID] {
                groups[group].append(index)
                lengths[group] += length
            } else {
                users[scenario.userID] = groups.count
                groups.append([index])
                lengths.append(length)
            }
        }
        return groups.indices.sorted { (lengths[$1], $0) < (lengths[$0], $1) }.map { groups[$0] }
    }
}
