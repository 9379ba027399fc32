import Foundation
import Testing

@Suite("The number of parallel tests")
struct TestWidthTests {
    @Test("The number of parallel tests is limited without an option or a variable")
    func limitsParallelTestsByDefault() throws {
        let limit = ProcessInfo.processInfo.environment["SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH"]
        #expect(try #require(limit.flatMap(Int.init)) > 0)
    }
}
