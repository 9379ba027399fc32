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

    @Test("They end as they should, in an app of one's own (behaviour 11)", .timeLimit(.minutes(2)))
    func play() async throws {
        let scenarios = Self.directory.appending(path: "Scenarios/gym.jsonl").path
        let (status, output) = try await Self.run("test", scenarios)
        #expect(status == 0, "\(output)")
        #expect(output.contains("Mismatched 0, ExecutionError 0"))
    }

    /// Runs the program; gives its exit status and what it printed.
    private static func run(_ arguments: String...) async throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = Self.program
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
