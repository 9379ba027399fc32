import IntentKit
import IntentLab
import OTLPTraces
import Telemetry
import Testing
import Tracing

@Suite("R66: trace context in calls of services")
struct TracedServiceTests {
    @Test("A service is called with the context of its span, and without one if there is no span")
    func servicesReceiveTraceContext() async throws {
        try await TestHTTPServer.run { _, _ in
            .init(body: #"{"code":"success"}"#)
        } _: { server in
            let intent = try ServedIntent(server.url())
            let snapshot = IntentSnapshot(name: "OrderLemonade", parameters: [:])
            _ = try await intent.registration.handle(snapshot, BareTurnHost.context())
            let queue = SpanQueue()
            try await withTracer(OTLPTracer(queue: queue)) { () async throws in
                try await withSpan("call") { _ in
                    _ = try await intent.registration.handle(snapshot, BareTurnHost.context())
                }
            }
            let span = try #require(queue.first(1).first)
            #expect(server.requests.map { $0.headers["traceparent"] } == [nil, span.context.parent])
        }
    }
}
