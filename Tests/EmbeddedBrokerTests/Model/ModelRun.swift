import IntentLab
import NIOCore

@testable import EmbeddedBroker

/// The common parts of all comparisons with a model: requests that are repeated while a coordinator is busy, and a
/// diary.
struct ModelRun {
    /// The seed, to run it again.
    let seed: UInt64
    /// The random numbers of the seed.
    var numbers: SeededNumbers
    private var diary: [String] = []

    /// The broker and the model disagree.
    struct Mismatch: Error, CustomStringConvertible {
        var description: String
    }

    init(seed: UInt64) {
        self.seed = seed
        self.numbers = SeededNumbers(seed: seed)
    }

    /// Adds a step to the diary.
    mutating func record(_ text: String) { self.diary.append(text) }

    /// Fails with the seed and the last steps.
    func mismatch(_ text: String) -> Mismatch {
        let steps = self.diary.suffix(25).joined(separator: "\n  ")
        return Mismatch(description: "seed \(self.seed): \(text)\nafter\n  \(steps)")
    }

    /// Fails unless the code is one of those that the model allows.
    func expect(_ code: ErrorCode, among allowed: Set<ErrorCode>) throws {
        guard allowed.contains(code) else {
            let codes = allowed.map(\.rawValue).sorted()
            throw self.mismatch("the broker answers \(code.rawValue), the model says \(codes)")
        }
    }

    /// Answers that mean "later": a coordinator is loading, or the last transaction's markers are being written.
    private static let later: Set<Int16> = [7, 14, 15, 16, 19, 51]

    /// Asks until the answer is final; each time it waits for the broker's answer, and no longer.
    static func settled<Response>(
        _ code: (Response) -> ErrorCode,
        _ ask: () async throws -> Response
    ) async throws -> Response {
        let deadline = ContinuousClock.now + .seconds(30)
        while true {
            let response = try await ask()
            guard Self.later.contains(code(response).rawValue), .now < deadline else { return response }
        }
    }

    /// Looks until the result is the expected one, or a while has passed; a broker may write markers after its answer.
    static func eventually<Seen>(_ isWanted: (Seen) -> Bool, _ look: () async throws -> Seen) async throws -> Seen {
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            let seen = try await look()
            guard !isWanted(seen), .now < deadline else { return seen }
        }
    }
}
