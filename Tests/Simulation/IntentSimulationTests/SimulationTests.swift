import Foundation
import Testing

@Suite("Simulated deployments")
struct SimulationTests {
    /// Seeds that once found a violation, and a few more; each is run twice.
    private static let known = [
        "41", "198", "1448", "2569", "2690", "5548", "7862", "33919", "49907", "75372", "206299",
    ]

    /// Seeds that once found a violation with a hostile client.
    private static let knownHostile = ["84"]

    /// Runs the simulation in a process of its own, because it receives every task of its process.
    ///
    /// The thread that waits for it is not one of Swift's. There are only as many of those as cores, and two such waits
    /// would block all other tests.
    private func run(_ arguments: [String]) async throws -> (status: Int32, output: String) {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try Self.runAndWait(arguments) }) }
        }
    }

    private static func runAndWait(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        // The program is built beside the tests.
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("intent-simulation")
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    @Test("R2, R5, R9, R13, R23, R30, R39, R41: known seeds pass, and run the same way twice", arguments: Self.known)
    func knownSeedsPassAndRepeat(seed: String) async throws {
        let (status, output) = try await self.run(["--from", seed, "--seeds", "1", "--twice"])
        #expect(status == 0, "\(output)")
    }

    @Test("R2, R5, R9, R13, R23, R30, R39, R41: fresh seeds pass")
    func freshSeedsPass() async throws {
        let first = UInt64(Date().timeIntervalSince1970) << 16
        let (status, output) = try await self.run(["--from", "\(first)", "--seeds", "15"])
        #expect(status == 0, "\(output)")
    }

    @Test("R30, R31: effects on a server whose connections break happen once, whichever process dies meanwhile")
    func serverEffectsHappenOnceDespiteCuts() async throws {
        let (status, output) = try await self.run(["--from", "1", "--seeds", "20", "--server", "--twice"])
        #expect(status == 0, "\(output)")
    }

    @Test("R71 to R79: long tasks in unlucky deployments do each step and each effect once", arguments: ["1", "500"])
    func longTasksDoEverythingOnce(first: String) async throws {
        let (status, output) = try await self.run(["--from", first, "--seeds", "15", "--tasks", "--twice"])
        #expect(status == 0, "\(output)")
    }

    @Test("R82, R93: operators' acts are carried out or refused once, and what they pause waits and continues")
    func operatorsActOnce() async throws {
        let (status, output) = try await self.run(["--from", "1", "--seeds", "60", "--operators"])
        #expect(status == 0, "\(output)")
        let again = try await self.run(["--from", "1", "--seeds", "8", "--operators", "--tasks", "--twice"])
        #expect(again.status == 0, "\(again.output)")
    }

    @Test("R30, R74, R75: a task of five steps that is killed before or after each of its writes ends the same")
    func crashAtEveryPointChangesNothing() async throws {
        // The effects of the second one's task are undone at its end.
        for seed in ["1", "2", "3"] {
            let (status, output) = try await self.run(["--from", seed, "--crash-points"])
            #expect(status == 0, "\(output)")
            // Each of the five steps and of the two effects is a separate write.
            let count = output.split(separator: " ").first.flatMap { Int($0) } ?? 0
            #expect(count > 14, "\(output)")
        }
    }

    @Test("Whatever a client writes, everybody else is answered as ever", arguments: ["1", "200"])
    func hostileClientsDelayNobodyElse(first: String) async throws {
        let (status, output) = try await self.run(["--from", first, "--seeds", "10", "--hostile"])
        #expect(status == 0, "\(output)")
    }

    @Test("R13, R14: known seeds with a hostile client pass, and run the same way twice", arguments: Self.knownHostile)
    func knownHostileSeedsPassAndRepeat(seed: String) async throws {
        let (status, output) = try await self.run(["--from", seed, "--seeds", "1", "--hostile", "--twice"])
        #expect(status == 0, "\(output)")
    }

    @Test("A seed's story says what happened, and is the same in another process")
    func storyOfSeedIsReproducible() async throws {
        let first = try await self.run(["--seed", "1"])
        let second = try await self.run(["--seed", "1"])
        #expect(first.status == 0)
        // The last line states the duration.
        #expect(first.output.split(separator: "\n").dropLast() == second.output.split(separator: "\n").dropLast())
        #expect(first.output.contains("intent.requested"))
    }
}
