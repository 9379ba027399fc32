import GRDB

/// Names are kept as text; SQLite's own order (`BINARY`, the default) compares their bytes.
extension Name: DatabaseValueConvertible {
    var databaseValue: DatabaseValue { self.text.databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Name? {
        String.fromDatabaseValue(value).map { Name($0) }
    }
}
