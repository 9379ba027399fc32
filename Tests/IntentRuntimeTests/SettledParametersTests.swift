import IntentEvents
import IntentKit
import Testing

@testable import IntentRuntime

@Suite("Which parameters of an interaction are settled")
struct SettledParametersTests {
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 { SplitMix64.next(&self.state) }
    }

    private static let names = ["a", "b", "é", "e\u{301}", "K", "\u{212A}", "recipients", "content", "zz"]

    private static func interaction() -> Interaction {
        Interaction(
            id: "i1",
            request: "0:1",
            startedAt: Timestamp(milliseconds: 0),
            user: RequestingUser(id: "u1"),
            device: RequestingDevice(),
            locale: "en-US",
            intent: IntentSnapshot(name: "GreetIntent")
        )
    }

    @Test("It holds what a set would hold, and is written in order", arguments: 0..<50 as Range<UInt64>)
    func behavesLikeASortedSet(seed: UInt64) throws {
        var numbers = Numbers(state: seed)
        var interaction = Self.interaction()
        var model: Set<String> = []
        for _ in 0..<60 {
            let name = try #require(Self.names.randomElement(using: &numbers))
            if Bool.random(using: &numbers) {
                interaction.settle(name)
                model.insert(name)
            } else {
                interaction.unsettle(name)
                model.remove(name)
            }
            #expect(interaction.settled == model.sorted())
            #expect(Self.names.allSatisfy { interaction.isSettled($0) == model.contains($0) })
        }
        let json = try JSONValue(parsing: interaction.utf8)
        #expect(Interaction(json: json) == interaction)
    }

    @Test("It is read from any order")
    func readsAnyOrder() throws {
        var interaction = Self.interaction()
        for name in ["b", "a"] { interaction.settle(name) }
        var json = try JSONValue(parsing: interaction.utf8).object
        json?["settled"] = ["b", "a", "b"]
        #expect(json.flatMap { Interaction(json: .object($0)) } == interaction)
    }
}
