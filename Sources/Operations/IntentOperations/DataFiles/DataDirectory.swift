internal import Foundation
internal import IntentEvents
package import Logging
internal import Telemetry

/// The directory of a deployment's files on this machine (`--data`).
package struct DataDirectory: Hashable, Sendable {
    package var path: String

    /// The embedded broker's log.
    var brokerFile: String { self.file("broker.sqlite") }
    /// The address at which the embedded broker listens, while it runs.
    var brokerAddress: String { self.file("broker.address") }
    /// Locked by the process that runs the embedded broker.
    var brokerLock: String { self.file("broker.lock") }
    /// The effect ledger and the handlers' tables.
    package var store: String { self.file("store.sqlite") }
    /// The default directory of anchors.
    package var anchors: String { self.file("anchors") }
    /// The recorder's file.
    package var records: String { self.file("records.sqlite") }

    /// State that a lane has evicted; recreated when the previous lane has not left in order.
    func spill(_ stage: Stage, lane: String) -> String { self.file("state-\(stage.rawValue)-\(lane).sqlite") }

    /// Locked by the worker of that name.
    func workerLock(_ name: String) -> String { self.file("worker-\(name).lock") }
    /// The lock files of all workers and gateways, whether they run or not.
    var processLocks: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: self.path)) ?? [])
            .filter { ($0.hasPrefix("worker-") || $0.hasPrefix("gateway-")) && $0.hasSuffix(".lock") }.sorted()
            .map(self.file)
    }

    /// The view of a gateway, and its lock, by the gateway's number on this machine.
    func gatewayView(_ index: Int) -> String { self.file("gateway-\(index).sqlite") }
    func gatewayLock(_ index: Int) -> String { self.file("gateway-\(index).lock") }

    /// The turns that run in the process of the worker of that name (R56).
    package func marks(_ name: String) -> String { self.file("running-\(name).marks") }
    /// The crash counts of turns that were running when processes crashed.
    var crashes: String { self.file("crashes.json") }
    /// Locked while that file is changed.
    var crashLock: String { self.file("crashes.lock") }
    /// The saved queries (R90).
    var queries: String { self.file("queries.json") }
    /// Locked while that file is changed.
    var queriesLock: String { self.file("queries.lock") }
    /// The input at prompts.
    package var history: String { self.file("ask-history") }

    /// Creates the directory if it is missing, and makes the files that this process keeps in it accessible to its user
    /// only.
    ///
    /// The permissions of our existing files that others may read are restricted, and those of a directory that contains
    /// nothing else. Any other directory is left as it is; a warning says that other users can read it.
    /// - Throws: ``OperationError``.
    package func create(_ logger: Logger) throws(OperationError) {
        PrivateFiles.begin()
        do {
            try FileManager.default.createDirectory(
                atPath: self.path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            var isDirectory: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: self.path, isDirectory: &isDirectory)
            let reason = exists && !isDirectory.boolValue ? "it is not a directory" : "\(error.localizedDescription)"
            throw OperationError(
                .unavailable,
                "cannot create the data directory \(self.path): \(reason); choose another one with --data"
            )
        }
        self.tighten(logger)
    }

    private func tighten(_ logger: Logger) {
        let (tightened, foreign) = PrivateFiles.tighten(in: self.path) { name in
            Self.ownNames.contains { name.hasPrefix($0) }
        }
        if !tightened.isEmpty {
            logger.notice(
                "Restricted access to files of the data directory to this user",
                metadata: [
                    TelemetryKey.path: "\(self.path)", TelemetryKey.files: "\(tightened.joined(separator: ", "))",
                ]
            )
        }
        if !foreign.isEmpty {
            logger.warning(
                "Files of the data directory are readable by other users and belong to another user; run chmod 600 on them",
                metadata: [TelemetryKey.path: "\(self.path)", TelemetryKey.files: "\(foreign.joined(separator: ", "))"]
            )
        }
        if let mode = PrivateFiles.mode(ofDirectory: self.path), mode & 0o077 != 0 {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: self.path)) ?? []
            let isOurs = !names.isEmpty && names.allSatisfy { name in Self.ownNames.contains { name.hasPrefix($0) } }
            if isOurs, chmod(self.path, mode & 0o700) == 0 {
                logger.notice(
                    "Restricted access to the data directory to this user",
                    metadata: [TelemetryKey.path: "\(self.path)"]
                )
                return
            }
            logger.warning(
                "Data directory is readable by other users; run chmod 700 on it",
                metadata: [TelemetryKey.path: "\(self.path)", TelemetryKey.fileMode: "\(String(mode, radix: 8))"]
            )
        }
    }

    /// The prefixes of our files' names.
    private static let ownNames = [
        "broker.", "store.sqlite", "records.sqlite", "state-", "worker-", "running-", "crashes.", "gateway-",
        "queries.", "ask-history", "anchors",
    ]

    private func file(_ name: String) -> String {
        self.path.hasSuffix("/") ? self.path + name : self.path + "/" + name
    }
}
