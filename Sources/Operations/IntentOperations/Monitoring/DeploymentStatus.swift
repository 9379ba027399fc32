internal import Foundation
internal import IntentEvents
internal import IntentKit
internal import IntentRecords
internal import IntentRuntime

/// The health of a deployment: of the processes on this machine's data directory, and of all groups (R81b).
package struct DeploymentStatus: Sendable {
    /// What one process, or the brokers, report: one line for each thing, which begins with `ok` or `NOT OK`.
    package struct Part: Sendable {
        package var title: String
        package var lines: [String]
        package var isHealthy: Bool

        init(_ title: String, _ lines: [String], isHealthy: Bool? = nil) {
            self.title = title
            self.lines = lines
            self.isHealthy = isHealthy ?? !lines.contains { $0.hasPrefix("NOT OK") }
        }
    }

    /// The processes, and then the groups.
    package var parts: [Part]
    /// Whether anything has answered.
    package var isAnswered: Bool

    package var isHealthy: Bool { self.parts.allSatisfy(\.isHealthy) }

    /// How long a process may take to answer.
    private static let timeout = Duration.seconds(10)

    /// Asks named processes.
    package static func ask(_ addresses: [BrokerAddress]) async -> DeploymentStatus {
        await Self.collect(addresses.map { ("\($0)", $0) })
    }

    /// Asks the processes that are registered in the data directory, and the brokers about the groups.
    package static func ask(_ configuration: Configuration) async -> DeploymentStatus {
        let processes = RunningProcess.all(in: configuration.data)
        async let groups = Self.groups(Self.reaching(configuration, processes))
        var status = await Self.collect(
            processes.filter(\.isHere).compactMap { one in one.monitoring.map { (Self.title(one), $0.local) } }
        )
        for process in processes where !process.isHere || process.monitoring == nil {
            let reason =
                process.isHere
                ? "monitoring.listen is none: health unknown"
                : "runs on \(process.host): run `intentd status` there"
            status.parts.append(Part(Self.title(process), [reason]))
        }
        let (part, isAnswered) = await groups
        status.parts.append(part)
        if let part = await Self.records(configuration) { status.parts.append(part) }
        status.isAnswered = status.isAnswered || isAnswered || !processes.isEmpty
        return status
    }

    private static func title(_ process: RunningProcess) -> String {
        let address = process.monitoring.map { ", \($0)" } ?? ""
        return SafeText.line("\(process.worker) (\(process.task); process \(process.processID)\(address))")
    }

    private static func collect(_ processes: [(title: String, address: BrokerAddress)]) async -> DeploymentStatus {
        await withTaskGroup(of: (Int, Part, Bool).self) { group in
            for (index, (title, address)) in processes.enumerated() {
                group.addTask {
                    do {
                        let health = try await ProcessHealth.ask(address, timeout: Self.timeout)
                        let lines = health.lines.dropFirst().map { SafeText.line($0) }
                        return (index, Part(title, lines, isHealthy: health.isHealthy), true)
                    } catch {
                        let line = "NOT OK: \(address) did not answer the health check: \(error)"
                        return (index, Part(title, [line]), false)
                    }
                }
            }
            var answers: [(Int, Part, Bool)] = []
            for await answer in group { answers.append(answer) }
            return DeploymentStatus(
                parts: answers.sorted { $0.0 < $1.0 }.map(\.1),
                isAnswered: answers.contains { $0.2 }
            )
        }
    }

    /// The open interactions of the record database on this machine; nil where there is none.
    static func records(_ configuration: Configuration) async -> Part? {
        let path = configuration.data.records
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            let open = try await RecordArchive.open(at: path).openCounts()
            return Part("Records", ["\(open.interactions) interactions are open, \(open.queued) of them queued"])
        } catch {
            return Part("Records", ["NOT OK: records: \(SafeText.line("\(error)"))"])
        }
    }

    /// The configuration with the brokers and the prefix of a running process, where it names neither itself.
    private static func reaching(_ configuration: Configuration, _ processes: [RunningProcess]) -> Configuration {
        var configuration = configuration
        guard let settings = processes.first?.settings else { return configuration }
        for setting in [Setting.brokers, .prefix] where configuration.entry(setting)?.origin ?? .byDefault == .byDefault
        {
            guard let text = settings[setting.key], let value = setting.type.read(text) else { continue }
            configuration.values[setting.key] = .init(value: value, origin: .byDefault)
        }
        return configuration
    }

    /// Asks the brokers about the groups.
    private static func groups(_ configuration: Configuration) async -> (Part, isAnswered: Bool) {
        do {
            let report = try await LogAccess.find(configuration)
                .use { log in
                    let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
                    return try await GroupLagReport.make(deployment, openTransactionAfter: nil, on: log)
                }
            var lines = report.conditions.map { condition in
                "\(condition.hasNoConsumers ? "NOT OK" : "ok"): \(condition.group): \(condition.description)"
            }
            if let problem = report.membersProblem { lines.append("members are unknown: \(SafeText.line(problem))") }
            return (Part("Consumer groups", lines), true)
        } catch {
            let line = "NOT OK: the brokers cannot be asked: \(SafeText.line("\(error)"))"
            return (Part("Consumer groups", [line]), false)
        }
    }
}
