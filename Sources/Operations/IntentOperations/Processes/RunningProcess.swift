internal import Foundation
package import IntentEvents
internal import IntentKit

/// A process of `up`, `work` or `gateway` that runs on a data directory, as it has registered itself there (R81b).
///
/// The entry is in the lock file of the worker or the gateway, and counts as long as that is locked: however the process
/// ends, it is then no longer registered.
package struct RunningProcess: Sendable, Equatable {
    package enum Kind: String, Sendable {
        /// A process of `up` or `work`.
        case worker
        case gateway
    }

    package var kind: Kind
    /// The name of its worker, or of the gateway.
    package var worker: String
    package var processID: Int32
    /// The host on which it runs: containers of several hosts may share a data directory.
    package var host: String
    /// The names of its worker's roles, also of those that only a newer version knows; none for a gateway.
    private var roles: [String]
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
    package var task: String { self.roles.isEmpty ? self.kind.rawValue : self.roles.joined(separator: ", ") }

    /// Describes this process: a worker, or without roles a gateway.
    package init(
        worker: String,
        roles: [WorkerRole],
        lanes: Int,
        monitoring: BrokerAddress?,
        configuration: Configuration
    ) {
        self.kind = roles.isEmpty ? .gateway : .worker
        self.worker = worker
        self.processID = getpid()
        self.host = WorkerName.host
        self.roles = roles.map(\.rawValue)
        self.lanes = lanes
        self.monitoring = monitoring
        self.settings = Dictionary(configuration.shownSettings.map { ($0.key, $0.text) }) { first, _ in first }
    }

    init?(json: JSONValue) {
        guard let worker = json["worker"]?.string, let process = json["process"]?.integer,
            let host = json["host"]?.string
        else { return nil }
        self.worker = worker
        self.processID = Int32(truncatingIfNeeded: process)
        self.host = host
        self.roles = json["roles"]?.array?.compactMap(\.string) ?? []
        let kind = json["kind"]?.string.flatMap(Kind.init(rawValue:))
        self.kind = kind ?? (self.roles.isEmpty ? .gateway : .worker)
        self.lanes = json["lanes"]?.integer.flatMap { Int(exactly: $0) } ?? 1
        self.monitoring = json["monitoring"]?.string.flatMap(BrokerAddress.init)
        self.settings = json["settings"]?.object?.compactMapValues(\.string) ?? [:]
    }

    /// The entry in the lock file.
    var entry: String {
        JSONValue.members([
            "kind": .string(self.kind.rawValue), "worker": .string(self.worker),
            "process": .integer(Int64(self.processID)), "host": .string(self.host),
            "roles": .array(self.roles.map(JSONValue.string)), "lanes": .integer(Int64(self.lanes)),
            "monitoring": self.monitoring.map { .string($0.description) },
            "settings": .object(self.settings.mapValues(JSONValue.string)),
        ])
        .description
    }
}
