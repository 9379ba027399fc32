import Foundation
import IntentLab
import Testing

@testable import IntentFuzzing

@Suite("Real lanes under hostile clients")
struct LaneFuzzTests {
    @Test("With suspended turns, full queues and limited topics, hostile clients keep nobody else from being answered")
    func everybodyElseIsAnswered() async throws {
        let inputs = EventSeeds.all.sorted { $0.key < $1.key }.map(\.value)
        let directory = try TemporaryDirectory()
        let lanes = try await FuzzedLanes(FuzzedIntents.extensions, store: directory.file("store.sqlite"))
        var mutator = ByteMutator(seed: 1)
        do {
            for number in 0..<48 {
                let input = inputs[number % inputs.count]
                let isChanged = number >= inputs.count
                try await lanes.play(
                    isChanged ? mutator.mutated(input, with: inputs[mutator.below(inputs.count)]) : input
                )
            }
        } catch {
            try? await lanes.stop()
            throw error
        }
        try await lanes.stop()
        #expect(lanes.hasPrompted)
    }
}
