import Foundation
import Testing

@Suite("Simulated deployments")
struct SimulationTests {
    /// Runs the simulation in a process of its own: it takes every task of its process.
    private func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        // The program is built beside this bundle.
        let bundle = URL(fileURLWithPath: CommandLine.arguments[0])
        process.executableURL = bundle.deletingLastPathComponent().appendingPathComponent("intent-simulation")
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
