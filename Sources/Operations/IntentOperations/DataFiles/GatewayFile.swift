/// The file in which a gateway keeps its view, held by one process at a time.
///
/// A gateway that restarts finds the file of an earlier one, and continues with it.
package struct GatewayFile: Sendable {
    package let path: String
    /// The gateway's name, unique on this data directory while it runs.
    package let name: String
    /// Held as long as the file is in use.
    private let lock: FileLock

    /// The largest number of gateways on one data directory.
    private static let limit = 1_000

    /// Claims the file with the lowest number that no other process has.
    /// - Throws: ``OperationError``.
    package static func claim(in data: DataDirectory) throws(OperationError) -> GatewayFile {
        for index in 0..<Self.limit {
            if case .acquired(let lock) = try FileLock.acquire(data.gatewayLock(index)) {
                return GatewayFile(path: data.gatewayView(index), name: "gateway-\(index)", lock: lock)
            }
        }
        throw OperationError(.unavailable, "\(Self.limit) gateways already run on \(data.path)")
    }

    /// Registers this process as long as it holds the file (R81b).
    package func register(_ process: RunningProcess) { self.lock.write(process.entry) }
}
