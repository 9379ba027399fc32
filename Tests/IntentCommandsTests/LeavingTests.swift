import IntentEvents
import IntentLab
import IntentRuntime
import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("Workers that stop for a while, and those that leave for good")
struct LeavingTests {
    private static let definition = """
        name: OrderLemonade
        confirmation: never
        parameters:
          - {name: flavour, type: string, required: true, values: [lemon, rhubarb]}
        """

    /// The members of the groups of all stages and of the recorder.
    private static func members(_ assembly: Assembly) async throws -> [String] {
        let lags = try await GroupLag.all(of: assembly.deployment, on: assembly.log)
        let members = try await GroupLagReport.members(of: GroupLagReport.groups(lags), on: assembly.log)
        return try #require(members).flatMap { group, members in members.map { "\(group) \($0.name)" } }.sorted()
    }

    /// Runs two lanes of each stage and a recorder until all have joined, then stops them.
    private static func work(_ assembly: Assembly, _ departure: Departure) async throws {
        let services = try assembly.services(
            WorkerRole.allCases,
            name: "test",
            lanes: 2,
            isScripted: false,
            departure: departure
        )
        try await assembly.run(services)
            .during {
                try await eventually(within: .seconds(30)) { try await Self.members(assembly) == Self.all }
            }
    }

    private static let all = [
        "intents.confirm test-0", "intents.confirm test-1", "intents.handle test-0", "intents.handle test-1",
        "intents.record test", "intents.resolve test-0", "intents.resolve test-1",
    ]

    @Test("A worker that receives SIGUSR1 is no longer a member", .timeLimit(.minutes(1)))
    func workerLeavesGroupForGood() async throws {
        try await LemonadeStand.open(Self.definition, listening: .monitoringListen) { assembly, _, _ in
            try await Self.work(assembly, Departure(.leaveGroup))
            let members = try await Self.members(assembly)
            #expect(members == [])
        }
    }

    @Test("A stopped worker stays a member until `leave` removes it", .timeLimit(.minutes(1)))
    func stoppedWorkerStaysMemberUntilLeave() async throws {
        try await LemonadeStand.open(Self.definition, listening: .monitoringListen) { assembly, configuration, _ in
            try await Self.work(assembly, Departure())
            #expect(try await Self.members(assembly) == Self.all)
            let options = ["--data", configuration.data.path, "--log-level", "critical"]
            #expect(await RootCommand.run(["leave", "tes"] + options) == 66)
            #expect(await RootCommand.run(["leave", "test-0"] + options) == 66)
            // With an unknown name among others, nobody leaves.
            #expect(await RootCommand.run(["leave", "test", "other"] + options) == 66)
            #expect(try await Self.members(assembly) == Self.all)
            #expect(await RootCommand.run(["leave", "test"] + options) == 0)
            #expect(try await Self.members(assembly) == [])
            #expect(await RootCommand.run(["leave", "test"] + options) == 66)
        }
    }

    @Test("A lane's name is its worker's name and a number")
    func laneNamesAreWorkerNameAndNumber() {
        for lane in ["handle-0", "handle-17"] { #expect(StageWorker.isLane(lane, of: "handle")) }
        for lane in ["handle", "handle-", "handle-0-0", "handle-x", "handler-0", "a-handle-0"] {
            #expect(!StageWorker.isLane(lane, of: "handle"))
        }
    }
}
