#if PostgreSQL
import Foundation
import IntentKit
import IntentLab

@testable import PostgreSQLLedger

/// The server that `INTENTD_TEST_POSTGRESQL` names by its address, where `Tests/run.sh` has started one.
enum TestServer {
    /// Its address; nil where there is none, and the tests are skipped.
    static let address = ProcessInfo.processInfo.environment["INTENTD_TEST_POSTGRESQL"]

    /// Makes a schema of its own, with nothing in it; gives the address that leads there.
    static func makeSchema(on address: String? = Self.address) throws -> String {
        guard let address else { throw ConformanceFailure("INTENTD_TEST_POSTGRESQL names no server.") }
        let name = "test_\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        try self.run("CREATE SCHEMA \(name)", on: address)
        return "\(address)&options=-csearch_path%3D\(name)"
    }

    /// Runs statements as an operator does.
    static func run(_ sql: String, on address: String) throws {
        try PostgreSQLConnection(address, .reading).script(sql)
    }

    /// The first column of the first row.
    static func value(_ sql: String, on address: String) throws -> JSONValue? {
        try PostgreSQLConnection(address, .reading).run(sql, []).rows().first?.values.first
    }
}
#endif
