package import GRDB

extension Database {
    /// Runs a body in a transaction that writes: all of it happens, or nothing.
    ///
    /// A transaction that an earlier body has left open is rolled back first.
    package func writing<Value>(_ body: () throws -> Value) throws -> Value {
        if self.isInsideTransaction { try self.rollback() }
        try self.beginTransaction(.immediate)
        do {
            let value = try body()
            try self.commit()
            return value
        } catch {
            try? self.rollback()
            throw error
        }
    }

    /// Runs a body whose queries all see the same state of the file.
    ///
    /// A transaction that an earlier body has left open is rolled back first.
    package func reading<Value>(_ body: () throws -> Value) throws -> Value {
        if self.isInsideTransaction { try self.rollback() }
        try self.beginTransaction(.deferred)
        defer { try? self.rollback() }
        return try body()
    }
}
