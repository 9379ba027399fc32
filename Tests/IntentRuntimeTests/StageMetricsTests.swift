import IntentRuntime
import Testing

@Suite("What a stage's lanes measure")
struct StageMetricsTests {
    @Test("Each metric has a place of its own: handles are kept in the order of the names")
    func places() {
        #expect(StageMetrics.StaticName.allCases.map(\.place) == Array(StageMetrics.StaticName.allCases.indices))
    }
}
