import Foundation
import IntentLab
import Testing

@testable import IntentFuzzing
@testable import IntentKit
@testable import IntentLedger

struct EventFuzzTests {
    private static func inputs() throws -> [[UInt8]] {
        let corpus = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Tests/Fuzzing/Corpus/events")
        return try ByteMutator.corpus(corpus.path).map(\.bytes) + EventSeeds.all.sorted { $0.key < $1.key }.map(\.value)
    }

    @Test("Every event is answered or becomes a dead letter, replays, and the next valid one is handled (R9, R47)")
    func answersOrBuriesEveryEvent() async throws {
        let inputs = try Self.inputs()
        let directory = try TemporaryDirectory()
        let extensions = FuzzedIntents.extensions
        let migrations = extensions.flatMap(\.migrations)
        let ledger = try await SQLiteLedger.open(at: directory.file("store.sqlite"), migrations: migrations)
        try await ledger.addDemoData(of: extensions, for: ["u1", "u2"], run: "test")
        let stages = try FuzzedStages(extensions, ledger: ledger)
        var mutator = ByteMutator(seed: 1)
        for input in inputs { try await stages.play(input, isThorough: true) }
        for number in 0..<600 {
            let input = inputs[mutator.below(inputs.count)]
            let changed = mutator.mutated(input, with: inputs[mutator.below(inputs.count)])
            try await stages.play(changed, isThorough: number % 10 == 0)
        }
        #expect(stages.tally.prompts > 0 && stages.tally.ends > 0)
        #expect(stages.tally.rejections > 0 && stages.tally.deadLetters > 0)
    }
}
