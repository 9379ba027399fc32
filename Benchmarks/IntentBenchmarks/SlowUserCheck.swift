import Foundation
import IntentEvents
import IntentLab

/// Checks that a handler which is slow for some users does not block the others.
///
/// The others' p99 stays within twice its usual value when the handler takes 10 s for one user in a hundred. It stays
/// under a second when the handler takes five minutes for one user who has sent thousands of requests, and when it
/// blocks its thread for a minute for dozens of users. All measurements are made in one run.
struct SlowUserCheck {
    /// The slow users.
    private enum Slow {
        case nobody
        case someUsers
        case one(requests: Int)
        case blocking(users: Int)
    }

    private let bench: MeasuredLog
    private let seconds: Int
    private let warmUp: Int
    private let queued: Int
    private let blocked: Int

    /// Prepares measurements of that length, with this many requests of the user who waits for five minutes, and this many
    /// users for whom the handler blocks its thread.
    init(bench: MeasuredLog, seconds: Int, warmUp: Int, queued: Int, blocked: Int) {
        self.bench = bench
        self.seconds = seconds
        self.warmUp = warmUp
        self.queued = queued
        self.blocked = blocked
    }

    /// Measures without and with slow users, at the same rate.
    func run(rate: Int, into report: inout Report) async throws {
        var without = try await self.latencies(rate: rate, .nobody)
        let before = Self.residentMebibytes
        var with = try await self.latencies(rate: rate, .someUsers)
        var behind = try await self.latencies(rate: rate, .one(requests: self.queued))
        let after = Self.residentMebibytes
        var blocked = try await self.latencies(rate: rate, .blocking(users: self.blocked))
        for (name, part) in [("p50", 0.5), ("p99", 0.99)] {
            report.add(
                "\(name) of the other users at \(rate)/s",
                "ms",
                floor: without.percentile(part),
                value: with.percentile(part)
            )
            report.add(
                "the same beside \(self.queued) requests of one user behind five minutes",
                "ms",
                floor: without.percentile(part),
                value: behind.percentile(part)
            )
            report.add(
                "the same beside \(self.blocked) handlers that block their threads for a minute",
                "ms",
                floor: without.percentile(part),
                value: blocked.percentile(part)
            )
        }
        report.add("resident memory, before and after", "MiB", floor: before, value: after)
        report.columns = ("without slow users", "with slow users")
    }

    private func latencies(rate: Int, _ slow: Slow) async throws -> Latencies {
        self.bench.announce("pipeline at \(rate)/s, slow: \(slow)")
        var hasSlowUsers = true
        if case .nobody = slow { hasSlowUsers = false }
        let pipeline = try await Pipeline.make(self.bench, slowUsers: hasSlowUsers)
        return try await pipeline.run {
            switch slow {
            case .nobody, .someUsers: break
            case .one(let requests):
                _ = try await Backlog.write(requests, to: pipeline.input, self.bench, user: SlowForSomeHandler.slowest)
            case .blocking(let users):
                for number in 0..<users {
                    let user = SlowForSomeHandler.blocking(number)
                    _ = try await Backlog.write(1, to: pipeline.input, self.bench, user: user)
                }
            }
            return try await LatencyMeasurement(
                bench: self.bench,
                rate: rate,
                seconds: self.seconds,
                warmUp: self.warmUp,
                counts: { !SlowForSomeHandler.isSlow($0.text) }
            )
            .run(from: pipeline.input, to: pipeline.output) { record in
                let user = record.header(EventHeaderName.userID)
                return user == SlowForSomeHandler.slowest.text || user.map(SlowForSomeHandler.blocks) ?? false
                    ? nil : RequestMaker.terminalNumber(record)
            }
        }
    }

    /// The memory of the process; 0 where the system does not report it.
    private static var residentMebibytes: Double {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let kibibytes = Double(line.filter(\.isNumber))
        else { return 0 }
        return kibibytes / 1_024
    }
}
