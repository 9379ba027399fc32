import Testing

@testable import EmbeddedBroker

struct ResponseBudgetTests {
    @Test func namesLargestHolderWhenTotalIsTooLarge() {
        let budget = ResponseBudget(limit: 1_000)
        #expect(budget.free == 750)
        let first = budget.lease(600, for: 1)
        var second: [ResponseLease] = (0..<4).map { _ in budget.lease(100, for: 2) }
        #expect(budget.free == 0)
        #expect(budget.heaviestOfTooMuch == nil)
        second += (0..<4).map { _ in budget.lease(100, for: 2) }
        #expect(budget.heaviestOfTooMuch == 2)
        second.removeLast(3)
        #expect(budget.heaviestOfTooMuch == 1)
        second = []
        #expect(budget.heaviestOfTooMuch == nil)
        #expect(budget.free == 150)
        withExtendedLifetime(first) {}
    }
}
