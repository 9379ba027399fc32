internal import CSQLite

/// What holds for SQLite in the whole process.
package enum StoreLibrary {
    /// The version of the library that is loaded.
    package static var version: String { String(cString: sqlite3_libversion()) }

    /// Has SQLite keep no statistics of its memory, which nobody asks for: it takes a mutex for each allocation otherwise.
    ///
    /// Called before anything else runs in the process: SQLite's configuration is guarded by no lock. Once SQLite is in
    /// use it refuses, and goes on counting. The connections' own mutexes are off already, since GRDB opens each for
    /// use on its own queue only; what connections share is guarded as before.
    package static func configure() {
        _ = csqlite_count_no_memory()
    }
}
