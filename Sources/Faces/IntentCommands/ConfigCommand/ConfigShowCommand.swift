import ArgumentParser
import IntentKit
import IntentOperations

/// `intentd config show`: the effective configuration, with the origin of each value.
struct ConfigShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the effective configuration and the source of each value.",
        discussion: """
            Precedence: command line, environment (INTENTD_…), config/intentd.yaml, defaults. Secrets are masked.
            """
    )

    @OptionGroup var output: JSONOption

    @Flag(help: "Show the settings of running processes that differ from these.")
    var running = false

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        if self.running { return try self.showRunning(configuration) }
        let rows = configuration.shownSettings
        if self.output.json {
            let members = rows.map {
                ($0.key, ["value": $0.value, "origin": .string($0.origin.description)] as JSONValue)
            }
            StandardOutput.print(.object(Dictionary(members) { $1 }))
            return
        }
        var table = Table("SETTING", "VALUE", "FROM")
        for row in rows { table.add(row.key, row.text, row.origin.description) }
        table.show()
    }

    /// What the processes on the data directory run with, where it differs from this command's configuration.
    private func showRunning(_ configuration: Configuration) throws {
        let processes = RunningProcess.all(in: configuration.data)
        guard !processes.isEmpty else {
            throw OperationError(.unavailable, "no process of `up` or `work` runs on \(configuration.data.path)")
        }
        let differences = processes.flatMap { process in
            configuration.differences(from: process).map { (worker: process.worker, setting: $0) }
        }
        if self.output.json {
            for (worker, setting) in differences {
                StandardOutput.print([
                    "worker": .string(worker), "setting": .string(setting.key), "running": .string(setting.running),
                    "here": .string(setting.here),
                ])
            }
            return
        }
        guard !differences.isEmpty else {
            StandardOutput.print("Running processes (\(processes.count)) have the settings of this configuration.")
            return
        }
        var table = Table("WORKER", "SETTING", "RUNNING", "HERE")
        for (worker, setting) in differences { table.add(worker, setting.key, setting.running, setting.here) }
        table.show()
    }
}
