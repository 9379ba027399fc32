import ArgumentParser

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Runs seeds in several processes of this program: each has one thread, so one process per core is useful.
struct SeedProcesses {
    /// The number of seeds that a process runs before another takes its place.
    private static let share: UInt64 = 500

    /// The number of concurrent processes.
    var jobs: Int
    /// Whether each seed is run twice.
    var isTwice: Bool
    /// Whether a hostile client takes part.
    var isHostile: Bool
    /// Whether effects are kept on a server.
    var isOnServer: Bool
    /// Whether users ask for long tasks, too.
    var hasTasks: Bool
    /// Whether there are operators in every seed.
    var hasOperators: Bool

    /// Runs them all; violations are printed as they are found.
    ///
    /// - Returns: Whether there are none.
    func run(_ seeds: Range<UInt64>) throws -> Bool {
        var next = seeds.lowerBound
        var running = 0
        var isClean = true
        while next < seeds.upperBound || running > 0 {
            while running < self.jobs, next < seeds.upperBound {
                let end = min(next + min(Self.share, UInt64(seeds.count / self.jobs + 1)), seeds.upperBound)
                try self.start(next..<end)
                next = end
                running += 1
            }
            var status: Int32 = 0
            guard waitpid(-1, &status, 0) > 0 else { continue }
            running -= 1
            if status != 0 { isClean = false }
        }
        return isClean
    }

    private func start(_ seeds: Range<UInt64>) throws {
        var words = [CommandLine.arguments[0], "--from", "\(seeds.lowerBound)", "--seeds", "\(seeds.count)"]
        if self.isTwice { words.append("--twice") }
        if self.isHostile { words.append("--hostile") }
        if self.isOnServer { words.append("--server") }
        if self.hasTasks { words.append("--tasks") }
        if self.hasOperators { words.append("--operators") }
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        guard posix_spawn(&process, Program.path, nil, nil, &arguments, environ) == 0 else {
            throw ValidationError("No process can be started for seeds \(seeds).")
        }
    }
}
