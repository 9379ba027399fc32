import Foundation
import Testing

/// The gym's conversations, played by its own program through the real pipeline: embedded broker, stages, SQLite.
@Suite("Conversations at the gym")
struct ScenarioTests {
    private static let directory = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The program that was built with the tests stands beside them.
    private static let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "gymd")

    @Test("They end as expected, in an app of one's own (behaviour 11)", .timeLimit(.minutes(2)))
    func conversationsEndAsExpected() async throws {
        let scenarios = Self.directory.appending(path: "Scenarios/gym.jsonl").path
        let (status, output) = try await Self.run(Self.program.path, ["test", scenarios])
        #expect(status == 0, "\(output)")
        #expect(output.contains("Mismatched 0, ExecutionError 0"))
    }

    #if PostgreSQL
    private static let server = ProcessInfo.processInfo.environment["INTENTD_TEST_POSTGRESQL"]

    @Test(
        "They end the same way on PostgreSQL",
        .enabled(if: Self.server != nil, "INTENTD_TEST_POSTGRESQL names no server"),
        .timeLimit(.minutes(2))
    )
    func conversationsEndAsExpectedOnPostgreSQL() async throws {
        let server = try #require(Self.server)
        let schema = "gym_\(UInt32.random(in: 0 ... .max))"
        let made = try await Self.run("/usr/bin/psql", ["-q", "-c", "CREATE SCHEMA \(schema)", server])
        #expect(made.status == 0, "\(made.output)")
        let scenarios = Self.directory.appending(path: "Scenarios/gym.jsonl").path
        let ledger = "\(server)&options=-csearch_path%3D\(schema)"
        let (status, output) = try await Self.run(Self.program.path, ["test", scenarios], ["INTENTD_LEDGER": ledger])
        #expect(status == 0, "\(output)")
        #expect(output.contains("Mismatched 0, ExecutionError 0"))
        let sets = try await Self.run("/usr/bin/psql", ["-Atqc", "SELECT count(*) > 0 FROM \(schema).sets", server])
        #expect(sets.output == "t\n")
    }
    #endif

    /// Runs a program; gives its exit status and what it printed.
    private static func run(
        _ program: String,
        _ arguments: [String],
        _ environment: [String: String] = [:]
    ) async throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.arguments = arguments
        process.currentDirectoryURL = Self.directory
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                do {
                    try process.run()
                    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
                    process.waitUntilExit()
                    continuation.resume(returning: (process.terminationStatus, String(decoding: bytes, as: UTF8.self)))
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }
}
