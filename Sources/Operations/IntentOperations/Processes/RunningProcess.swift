internal import Foundation
package import IntentEvents
internal import IntentKit

/// A process of `up`, `work` or `gateway` that runs on a data directory, as it has registered itself there (R81b).
///
/// The entry is in the lock file of the worker or the gateway, and counts as long as that is locked: however the process ends, it is then no
/// longer registered.
package struct RunningProcess: Sendable, Equatable {
    /// The name of its worker, or of the gateway.
    package var worker: String
    package var processID: Int32
    /// The host on which it runs: containers of several hosts may share a data directory.
    package var host: String
    /// The roles of its worker; none for a gateway.
    package var roles: [WorkerRole]
    /// The number of lanes of each stage.
    package var lanes: Int
    /// Where it serves metrics and health; nil when it does not.
    package var monitoring: BrokerAddress?
    /// The settings with which it runs, as `config show` prints them.
    package var settings: [String: String]

    /// The largest entry that is read.
    private static let maximumBytes = 1 << 20

    /// Whether it runs on this host, where its address can be reached.
    package var isHere: Bool { self.host == WorkerName.host }

    /// The processes that are registered in a data directory, by worker.
    package static func all(in data: DataDirectory) -> [RunningProcess] {
        data.processLocks
            .compactMap { path in FileLock.note(at: path, maximumBytes: Self.maximumBytes) }
            .compactMap { note in (try? JSONValue(parsing: Array(note.utf8))).flatMap(Self.init(json:)) }
            .sorted { $0.worker < $1.worker }
    }

    /// What it does, for people.
    package var task: String { self.roles.isEmpty ? "gateway" : self.roles.map(\.rawValue).joined(separator: ", ") }

    /// Describes this process.
    package init(
        worker: String,
        roles: [WorkerRole],
        lanes: Int,
        monitoring: BrokerAddress?,
        configuration: Configuration
    ) {
        self.worker = worker
        self.processID = getpid()
        self.host = WorkerName.host
        self.roles = roles
        self.lanes = lanes
        self.monitoring = monitoring
        self.settings = Dictionary(configuration.shownSettings.map { ($0.key, $0.text) }) { first, _ in first }
    }

    private init?(json: JSONValue) {
        guard let worker = json["worker"]?.string, let process = json["process"]?.integer,
            let host = json["host"]?.string
        else { return nil }
        self.worker = worker
        self.processID = Int32(truncatingIfNeeded: process)
        self.host = host
        self.roles = json["roles"]?.array?.compactMap { $0.string.flatMap(WorkerRole.init(rawValue:)) } ?? []
        self.lanes = json["lanes"]?.integer.flatMap { Int(exactly: $0) } ?? 1
        self.monitoring = json["monitoring"]?.string.flatMap(BrokerAddress.init)
        self.settings = json["settings"]?.object?.compactMapValues(\.string) ?? [:]
    }

    /// The entry in the lock file.
    var entry: String {
        JSONValue.members([
            "worker": .string(self.worker), "process": .integer(Int64(self.processID)), "host": .string(self.host),
            "roles": .array(self.roles.map { .string($0.rawValue) }), "lanes": .integer(Int64(self.lanes)),
            "monitoring": self.monitoring.map { .string($0.description) },
            "settings": .object(self.settings.mapValues(JSONValue.string)),
        ])
        .description
    }
}
