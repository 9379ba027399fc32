internal import Foundation
package import IntentKit

/// Rolls back the written row.
private struct RolledBack: Error {}

extension LedgerStore {
    /// Tries whether the store takes a write: a row is written and rolled back.
    ///
    /// - Throws: Why it does not: `StoreError`; ``StoreBusyError``.
    package func tryWriting() async throws {
        // Two processes that try at once do not wait for each other's row.
        let name = "trial \(UInt64.random(in: .min ... .max))"
        do {
            _ = try await self.write { store in
                try store.execute(
                    "INSERT INTO deployment (identifier, prefix) VALUES ($1, $2)",
                    [.string(name), .string("")]
                )
                throw RolledBack()
            }
        } catch is RolledBack {
            return
        } catch {
            // SQLite says only that it cannot write.
            guard access(self.place, W_OK) != 0, errno == EROFS else { throw error }
            throw StoreBusyError("the file system of \(self.place) is read-only")
        }
    }
}
