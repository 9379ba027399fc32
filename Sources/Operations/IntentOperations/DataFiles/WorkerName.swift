internal import DeclaredIntents
internal import Foundation

/// A worker's name, unique while the worker runs: static membership and transactional ids are derived from it.
package struct WorkerName: Sendable {
    package let text: String
    /// Held as long as the name is in use.
    private let lock: FileLock

    /// The largest number of workers on one data directory.
    private static let limit = 1_000

    /// Claims the host's name with the lowest index that no other process has.
    /// - Throws: ``OperationError``.
    package static func claim(in data: DataDirectory, host: String = Self.host) throws(OperationError) -> WorkerName {
        for index in 0..<Self.limit {
            if case .acquired(let lock) = try FileLock.acquire(data.workerLock("\(index)")) {
                return WorkerName(text: "\(host)-\(index)", lock: lock)
            }
        }
        throw OperationError(.unavailable, "\(Self.limit) workers already run on \(data.path)")
    }

    /// Claims a given name.
    /// - Throws: ``OperationError``: a name that a lock file cannot have, or one that another process has.
    package static func claim(_ name: String, in data: DataDirectory) throws(OperationError) -> WorkerName {
        try Self.check(name)
        switch try FileLock.acquire(data.workerLock("named-\(name)")) {
        case .acquired(let lock): return WorkerName(text: name, lock: lock)
        case .held(let process):
            throw OperationError(
                .unavailable,
                "another worker has the name \(name)\(process.map { " (process \($0))" } ?? ""): "
                    + "workers with the same name would fence each other"
            )
        }
    }

    /// Registers this process under the name, as long as the name is in use (R81b).
    func register(_ process: RunningProcess) { self.lock.write(process.entry) }

    /// Checks that a lock file, a client id and a transactional id can have the name.
    /// - Throws: ``OperationError`` (64).
    package static func check(_ name: String) throws(OperationError) {
        let isPlain = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
        guard isPlain, !name.isEmpty, name.count <= 100 else {
            throw OperationError(
                .usage,
                "--name \(ShownText.of(name)): a worker's name has 1 to 100 letters, digits, dots, underscores and "
                    + "hyphens"
            )
        }
    }

    /// The machine's name, with characters replaced that a Kafka client id may not contain.
    package static var host: String {
        let name = ProcessInfo.processInfo.hostName.prefix { $0 != "." }
        let plain = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
        return plain.isEmpty ? "worker" : plain
    }
}
