import GRDB
import Testing

@testable import SQLiteStore

@Suite("Reused prepared statements")
struct PreparedStatementTests {
    private static func values(_ database: Database) throws -> [String?] {
        try Row.fetchAll(database, sql: "SELECT text FROM t ORDER BY number").map { $0["text"] }
    }

    @Test("An argument that is not bound again is NULL in the next run, and not the memory of the last one")
    func unboundArgumentIsNullInNextRun() throws {
        try DatabaseQueue()
            .write { database in
                try database.execute(sql: "CREATE TABLE t (number INTEGER, text TEXT)")
                let insert = try PreparedStatement(database, "INSERT INTO t VALUES (?, ?)")
                try insert.bind(1, at: 1)
                try Array("kept in place".utf8)
                    .withUnsafeBufferPointer { text in
                        try insert.bind(keptText: text, at: 2)
                        try insert.run()
                    }
                try insert.bind(2, at: 1)
                try insert.run()
                #expect(try Self.values(database) == ["kept in place", nil])
            }
    }

    @Test("It is also NULL when the statement was bound before and never run")
    func unboundArgumentIsNullWhenStatementIsReused() throws {
        try DatabaseQueue()
            .write { database in
                try database.execute(sql: "CREATE TABLE t (number INTEGER, text TEXT)")
                let given = try PreparedStatement(database, "INSERT INTO t VALUES (?, ?)")
                try Array("gone by then".utf8).withUnsafeBufferPointer { try given.bind(keptText: $0, at: 2) }
                let taken = try PreparedStatement(database, "INSERT INTO t VALUES (?, ?)")
                try taken.bind(1, at: 1)
                try taken.run()
                #expect(try Self.values(database) == [nil])
            }
    }
}
