internal import Foundation
internal import IntentKit
package import IntentLedger

extension Configuration {
    /// The address of the ledger; nil for SQLite, or none.
    private var ledgerAddress: String? { self.text(.ledger).flatMap { $0.contains("://") ? $0 : nil } }

    /// Opens the ledger, and applies the handlers' migrations (R31).
    ///
    /// - Throws: ``OperationError`` (78) when this program cannot open such an address; what the ledger throws.
    func openLedger(_ migrations: [StoreMigration]) async throws -> any LedgerStore {
        guard let address = self.ledgerAddress else {
            return try await SQLiteLedger.open(at: self.data.store, migrations: migrations)
        }
        return try await self.ledgerSource(of: address).open(address, migrations)
    }

    /// The ledger of the deployment, to read and to prune.
    package func ledgerLocation() async throws -> LedgerLocation {
        guard let address = self.ledgerAddress else { return .file(self.data.store) }
        return .store(try await self.ledgerSource(of: address).open(address, nil))
    }

    /// The ledger of the deployment; nil when there is none, or its file does not exist.
    func existingLedger() async throws -> LedgerLocation? {
        guard self.hasLedger else { return nil }
        let location = try await self.ledgerLocation()
        if case .file(let path) = location, !FileManager.default.fileExists(atPath: path) { return nil }
        return location
    }

    /// Checks that this program can open the ledger.
    /// - Throws: ``OperationError`` (78).
    func checkLedger() throws(OperationError) {
        if let address = self.ledgerAddress { _ = try self.ledgerSource(of: address) }
    }

    private func ledgerSource(of address: String) throws(OperationError) -> LedgerSource {
        let scheme = address.prefix { $0 != ":" }
        guard let source = HandlerSources.current.ledger, source.scheme == scheme else {
            throw self.failure(
                .ledger,
                "ledger names \(scheme)://, but this program supports "
                    + "\(HandlerSources.current.ledger.map { "\($0.scheme):// and " } ?? "")sqlite only; for PostgreSQL "
                    + "build it with `--traits PostgreSQL` (R31)"
            )
        }
        return source
    }
}
