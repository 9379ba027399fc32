import ArgumentParser
import IntentOperations
import IntentRuntime

/// `intentd leave`: removes departed workers from their groups.
struct LeaveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "Remove workers that will not return from their consumer groups.",
        discussion: """
            A worker's partitions wait for it until its session times out, in 12 s, since it may come back under its \
            name. This command leaves in its place: other workers get its partitions at once. A worker that still runs \
            is interrupted, and joins again.
            """
    )

    @Argument(help: "The workers' names.", transform: IdentityArgument.read)
    var names: [String]

    @OptionGroup var common: CommonOptions
    @OptionGroup var brokers: BrokersOption

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        try await LogAccess.find(configuration)
            .use { log in
                let lanes = try await LanesOfGoneWorkers.find(self.names, prefix: configuration.prefix, on: log)
                for name in self.names where !lanes.configurations.keys.contains(name) {
                    throw OperationError(
                        .noInput,
                        "no group has a worker \(SafeText.line(name)); `intentd lag` shows each group's members"
                    )
                }
                try await lanes.leave(on: log)
                for lane in lanes.configurations.values.flatMap(\.self).sorted(by: { $0.group < $1.group }) {
                    StandardOutput.print("\(lane.group): \(lane.name) has left")
                }
            }
    }
}
