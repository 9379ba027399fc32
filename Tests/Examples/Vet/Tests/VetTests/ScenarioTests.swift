import Foundation
import IntentTesting
import Testing
import Vet

/// The practice's conversations; intentd's own tests play the same file with the service in Python.
@Suite("Conversations with the practice", .timeLimit(.minutes(2)))
struct ScenarioTests {
    private static let scenarios = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Scenarios/vet.jsonl")

    @Test("They end as expected in the test's process, and replay")
    func conversationsEndAsExpectedAndReplay() async throws {
        try await TestDeployment.with(.vet) { practice in
            try await practice.store.addDemoData(of: .vet, for: "ann", "ben", "cid", "dan", "eve", "zoe")
            try await practice.play(scenarios: Self.scenarios)
            #expect(try await practice.replay() > 20)
        }
    }

    @Test("They end as expected with `vetd test`, through a broker")
    func conversationsEndAsExpectedThroughBroker() async throws {
        let process = Process()
        process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "vetd")
        process.arguments = ["test", Self.scenarios.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        let (status, output) = try await withCheckedThrowingContinuation { continuation in
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
        #expect(status == 0, "\(output)")
        #expect(output.contains("Mismatched 0, ExecutionError 0"))
    }
}
