import Foundation
import IntentLab
import Testing

@testable import IntentFuzzing

struct FileFuzzTests {
    @Test("Whatever is in a file, it is accepted, or its problem is reported (R36, R49, R50)")
    func acceptsFileOrReportsProblem() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let inputs = try ByteMutator.corpus(root.appending(path: "Tests/Fuzzing/Corpus/files").path).map(\.bytes)
        var mutator = ByteMutator(seed: 1)
        var files = 0
        for input in inputs where try input.withUnsafeBytes(FuzzedFile.play) { files += 1 }
        for _ in 0..<1_000 {
            let input = inputs[mutator.below(inputs.count)]
            let changed = mutator.mutated(input, with: inputs[mutator.below(inputs.count)])
            if try changed.withUnsafeBytes(FuzzedFile.play) { files += 1 }
        }
        #expect(files > 0)
    }
}
