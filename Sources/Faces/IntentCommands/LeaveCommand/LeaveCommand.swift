import ArgumentParser
import IntentOperations
import IntentRuntime

/// `intentd leave`: removes departed workers from their groups.
struct LeaveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "Remove workers that will not return from their consumer groups.",
        discussion: """
            When a worker stops, its partitions stay assigned to it until its session times out (12 s), because it may \
            restart under the same name. This command removes it from its groups: other workers get its partitions at \
            once. A worker that is still running is interrupted, and joins again.
            """
    )

    @Argument(help: "The workers' names.", transform: IdentityArgument.read)
    var names: [String]

    @OptionGroup var `operator`: OperatorOptions

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        try await LogAccess.find(configuration)
            .use { log in
                let lanes = try await DepartedWorkerLanes.find(self.names, prefix: configuration.prefix, on: log)
                for name in self.names where !lanes.configurations.keys.contains(name) {
                    throw OperationError(
                        .noInput,
                        "no group has a member \(SafeText.line(name)); `intentd lag` shows the members of each group"
                    )
                }
                let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
                let desk = OperatorDesk(deployment, log: log, by: self.operator.value)
                for name in self.names { try await desk.write(desk.act(.leave, target: name)) }
                // All at once: a group waits for each member that is silent.
                do {
                    try await lanes.leave(on: log)
                } catch {
                    guard var failure = OperationError(error) else { throw error }
                    failure.message += "\nsome workers may not have left: repeat `intentd leave`"
                    throw failure
                }
                for lane in lanes.configurations.values.flatMap(\.self).sorted(by: { $0.group < $1.group }) {
                    StandardOutput.print("\(lane.group): \(lane.name) has left")
                }
            }
    }
}
