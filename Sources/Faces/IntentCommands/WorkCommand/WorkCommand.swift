import ArgumentParser
import IntentEvents
import IntentOperations
import IntentRuntime
import Logging
import Telemetry

/// `intentd work`: workers for one or several stages.
struct WorkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "work",
        abstract: "Run workers for one or several stages until SIGTERM, Ctrl-C or SIGUSR1.",
        discussion: """
            Several processes can run side by side and share the partitions. A worker that is stopped finishes its batch \
            first. After SIGTERM or Ctrl-C its partitions stay assigned to it until its session times out (12 s), because \
            it may restart under the same name. After SIGUSR1 it leaves its groups permanently, and other workers get its \
            partitions at once; `leave` does the same for a worker that has already stopped.
            """
    )

    @Argument(help: "The roles of this worker: one or more of resolve, confirm, handle, and record.")
    var roles: [WorkerRole]

    @OptionGroup var tracing: TracingOption

    @Option(help: "Number of lanes per stage.")
    var instances = 1

    @Option(
        help:
            "The worker's name: unique, and stable across restarts. (default: the host name and an index locked in the data directory)"
    )
    var name: String?

    @Flag(help: "Honor the header ce_intentdscript, with which scenarios control the results of handlers.")
    var scripted = false

    @Flag(help: "Write records and offsets without transactions. A crash may repeat a batch.")
    var atLeastOnce = false

    @Flag(help: "Skip events that retention removed before they were read, and log them as errors.")
    var acceptLoss = false

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard !self.roles.isEmpty else {
            throw ValidationError("specify at least one role: resolve, confirm, handle or record")
        }
        guard (1...1_000).contains(self.instances) else { throw ValidationError("--instances is 1 to 1000") }
    }

    func run() async throws {
        if let name = self.name { try WorkerName.check(name) }
        let configuration = try self.common.load(
            brokers: self.brokers,
            more: self.tracing.settings
                + (self.atLeastOnce ? [(.delivery, "--at-least-once", .text("at-least-once"))] : []),
            level: .info
        )
        let carriesOut = self.roles.contains(.handle)
        let intents = try IntentSet.checked(configuration, needsSecrets: carriesOut)
        if carriesOut {
            for warning in intents.warnings { configuration.logger("intentd.work").warning("\(warning)") }
        }
        let access = try LogAccess.find(configuration)
        try await access.use { log in
            let assembly = try await Assembly.make(
                configuration,
                log: log,
                intents: intents,
                creatingTopics: false,
                workingStages: self.roles.contains { $0.stage != nil }
            )
            let name =
                try self.name.map { given throws(OperationError) in
                    try WorkerName.claim(given, in: configuration.data)
                }
                ?? WorkerName.claim(in: configuration.data)
            let logger = configuration.logger("intentd.work")
            logger.info(
                "Worker started",
                metadata: [
                    TelemetryKey.worker: "\(name.text)",
                    TelemetryKey.roles: "\(self.roles.map(\.rawValue).joined(separator: ","))",
                    TelemetryKey.lanes: "\(self.instances)",
                    TelemetryKey.brokers: "\(access.brokers.joined(separator: ","))",
                ]
            )
            let departure = Departure()
            let process = try await WorkingProcess.start(
                self.roles,
                with: assembly,
                on: access,
                name: name,
                lanes: self.instances,
                isScripted: self.scripted,
                acceptsLoss: self.acceptLoss,
                departure: departure,
                logger: logger
            )
            try await process.untilSignalled()
            logger.info(
                departure.kind == .leaveGroup ? "Worker left its groups" : "Worker stopped",
                metadata: [TelemetryKey.worker: "\(name.text)"]
            )
        }
    }
}

extension WorkerRole: ExpressibleByArgument {}
