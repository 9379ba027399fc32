import GRDB

/// Names are kept as text; SQLite's own order (`BINARY`, the default) compares their bytes.
extension Name: DatabaseValueConvertible {
    /// What is stored.
    var databaseValue: DatabaseValue { self.text.databaseValue }

    /// What was stored.
    static func fromDatabaseValue(_ value: DatabaseValue) -> Name? {
        String.fromDatabaseValue(value).map { Name($0) }
    }
}
