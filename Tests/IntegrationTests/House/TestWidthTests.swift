import Foundation
import Testing

@Suite("How many tests run at a time")
struct TestWidthTests {
    @Test("is limited without an option or a variable of the caller's")
    func isLimited() throws {
        let limit = ProcessInfo.processInfo.environment["SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH"]
        #expect(try #require(limit.flatMap(Int.init)) > 0)
    }
}
