import IntentRuntime
import Telemetry
import Testing

@Suite("Which traces are recorded")
struct TraceSamplerTests {
    @Test("R66: a request without a context has a trace id that is a function of its position")
    func traceIDIsDerivedFromPosition() {
        let context = TraceContext(deployment: "d", position: "3:17")
        // printf 'd|trace|3:17' | sha256sum
        #expect(context.parent == "00-468410ebddb85fe477b245b7c05fbaf9-4ac1aaa872d167d5-01")
        #expect(context == TraceContext(deployment: "d", position: "3:17"))
        #expect(context.trace != TraceContext(deployment: "d", position: "3:18").trace)
        #expect(context.trace != TraceContext(deployment: "e", position: "3:17").trace)
    }

    @Test("R66: a share of traces is recorded, the same ones by every worker", arguments: [0, 0.01, 0.25, 1])
    func allWorkersSampleSameShare(share: Double) throws {
        let sampler = TraceSampler(share: share)
        let taken = (0..<10_000).filter { sampler.takes(TraceContext(deployment: "d", position: "0:\($0)").trace) }
        let wanted = share * 10_000
        #expect(abs(Double(taken.count) - wanted) <= (share == 0 || share == 1 ? 0 : 150))
        // What is taken at a share is taken at every larger one.
        let larger = TraceSampler(share: min(1, share * 2))
        #expect(taken.allSatisfy { larger.takes(TraceContext(deployment: "d", position: "0:\($0)").trace) })
    }

    @Test("R66: all traces are recorded at 1, and none at 0, whatever their ids")
    func samplesAllOrNone() throws {
        for low in [0, 1, UInt64.max] {
            let trace = try #require(TraceID(high: 1, low: low))
            #expect(TraceSampler(share: 1).takes(trace))
            #expect(!TraceSampler(share: 0).takes(trace))
        }
    }
}
