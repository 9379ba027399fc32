import IntentLab
import Testing

@testable import IntentRuntime

@Suite("An interaction as a value")
struct InteractionTests {
    @Test("An interaction that is changed leaves its copies as they were")
    func copiesOfInteractionsAreTheirOwn() {
        var first = Interaction.greeting()
        first.opening = "Hello"
        let second = first
        first.opening = "Good morning"
        first.round = 2
        #expect(second.opening == "Hello" && second.round == 0)
        #expect(first.opening == "Good morning" && first.round == 2)
        first.opening = nil
        first.round = 0
        #expect(first == Interaction.greeting() && first.hashValue == Interaction.greeting().hashValue)
    }
}
