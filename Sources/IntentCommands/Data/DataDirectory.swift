import Foundation
import IntentEvents

/// The directory in which a deployment's files are on this machine (`--data`).
struct DataDirectory: Hashable, Sendable {
    /// Its path.
    var path: String

    /// The embedded broker's log.
    var brokerFile: String { self.file("broker.sqlite") }
    /// The address at which the embedded broker listens, while one does.
    var brokerAddress: String { self.file("broker.address") }
    /// Held by the process that runs the embedded broker.
    var brokerLock: String { self.file("broker.lock") }
    /// The effect ledger and the handlers' tables.
    var store: String { self.file("store.sqlite") }
    /// What the recorder writes.
    var records: String { self.file("records.sqlite") }

    /// What a lane has put away of its state; made anew when the lane before it has not left in order.
    func spill(_ stage: Stage, lane: String) -> String { self.file("state-\(stage.rawValue)-\(lane).sqlite") }

    /// Held by the worker of that name.
    func workerLock(_ name: String) -> String { self.file("worker-\(name).lock") }

    /// Makes the directory if it is not there.
    /// - Throws: ``CommandFailure``.
    func create() throws(CommandFailure) {
        do {
            try FileManager.default.createDirectory(atPath: self.path, withIntermediateDirectories: true)
        } catch {
            var isDirectory: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: self.path, isDirectory: &isDirectory)
            let reason = exists && !isDirectory.boolValue ? "it is a file" : "\(error.localizedDescription)"
            throw CommandFailure(
                .unavailable,
                "cannot make the data directory \(self.path): \(reason); name another one with --data"
            )
        }
    }

    private func file(_ name: String) -> String {
        self.path.hasSuffix("/") ? self.path + name : self.path + "/" + name
    }
}
