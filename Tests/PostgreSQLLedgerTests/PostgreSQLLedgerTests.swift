#if PostgreSQL
import IntentKit
import IntentLab
import Testing

@testable import PostgreSQLLedger

@Suite(.enabled(if: TestServer.address != nil, "INTENTD_TEST_POSTGRESQL names no server: see Tests/postgresql.sh"))
struct PostgreSQLLedgerTests {
    @Test(arguments: LedgerConformance.Check.all)
    func passesConformanceSuite(_ check: LedgerConformance.Check) async throws {
        let address = try TestServer.makeSchema()
        try await LedgerConformance { try await PostgreSQLLedger.open(at: address, migrations: $0) }.run(check)
    }
}
#endif
