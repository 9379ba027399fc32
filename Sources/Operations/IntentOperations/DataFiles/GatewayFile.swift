internal import Foundation
internal import IntentKit
internal import LibCrypto

/// The file in which a gateway keeps its view, held by one process at a time.
///
/// A gateway that restarts finds the file of an earlier one, and continues with it.
package struct GatewayFile: Sendable {
    package let path: String
    /// The gateway's name, unique on this data directory while it runs.
    package let name: String
    /// Its name in a consumer group: unique while it runs, and the same after a restart on this machine and directory.
    package let member: String
    /// Held as long as the file is in use.
    private let lock: FileLock

    /// The largest number of gateways on one data directory.
    private static let limit = 1_000

    /// Claims the file with the lowest number that no other process has.
    /// - Throws: ``OperationError``.
    package static func claim(in data: DataDirectory) throws(OperationError) -> GatewayFile {
        for index in 0..<Self.limit {
            if case .acquired(let lock) = try FileLock.acquire(data.gatewayLock(index)) {
                let name = "gateway-\(index)"
                let member = Self.member(name, in: data)
                return GatewayFile(path: data.gatewayView(index), name: name, member: member, lock: lock)
            }
        }
        throw OperationError(.unavailable, "\(Self.limit) gateways already run on \(data.path)")
    }

    /// Registers this process as long as it holds the file (R81b).
    package func register(_ process: RunningProcess) { self.lock.write(process.entry) }

    /// Several gateways of one machine may have directories of their own.
    private static func member(_ name: String, in data: DataDirectory) -> String {
        let path = URL(fileURLWithPath: data.path).standardizedFileURL.path
        return "\(WorkerName.host)-\(SHA256.digest(Array(path.utf8)).hex(4))-\(name)"
    }
}
