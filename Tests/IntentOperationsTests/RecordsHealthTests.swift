import IntentLab
import Testing

@testable import IntentOperations

@Suite("R81b: the record database in status")
struct RecordsHealthTests {
    @Test("A record database that cannot be read is a fault; a missing one is not")
    func reportsUnreadableRecords() async throws {
        let directory = try TemporaryDirectory()
        var configuration = Configuration()
        configuration.values[Setting.data.key] = .init(value: .text(directory.path), origin: .byDefault)
        #expect(await DeploymentStatus.records(configuration) == nil)
        _ = try directory.write(String(repeating: "not a database\n", count: 400), to: "records.sqlite")
        let part = try #require(await DeploymentStatus.records(configuration))
        #expect(!part.isHealthy)
        #expect(part.lines.first?.hasPrefix("NOT OK: records: ") == true)
    }
}
