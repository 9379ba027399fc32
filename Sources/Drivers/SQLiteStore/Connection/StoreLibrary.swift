internal import CSQLite

/// Settings of SQLite for the whole process.
package enum StoreLibrary {
    /// The version of the library that is loaded.
    package static var version: String { String(cString: sqlite3_libversion()) }

    /// Turns off SQLite's memory statistics, which are not used: they take a mutex for each allocation.
    ///
    /// It is called before anything else runs in the process, since no lock guards SQLite's configuration. Once SQLite
    /// is in use it refuses, and continues to count. The connections' own mutexes are off already, since GRDB opens
    /// each for use on its own queue only; data that connections share are guarded as before.
    package static func configure() { _ = csqlite_count_no_memory() }
}
