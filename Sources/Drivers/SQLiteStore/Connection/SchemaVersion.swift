package import GRDB
internal import IntentKit

/// The version of a file's tables, in SQLite's `user_version`; a file without one has the first version.
///
/// A change that only adds tables, or columns that may be missing, keeps the version: programs of the previous version
/// still work.
package enum SchemaVersion {
    /// Checks that a file has a known version, before anything is written to it.
    ///
    /// - Throws: `StoreError` with `newer`.
    package static func check(_ database: Database, _ file: String, known: Int) throws {
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard found <= known else {
            throw StoreError(
                .newer,
                "\(file) has schema version \(found), but this version of intentd supports only up to \(known). It was not "
                    + "changed. Start the newer version that wrote it."
            )
        }
    }
}
