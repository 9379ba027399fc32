import IntentLab
import Logging
import OTLPTraces
import PrometheusMetrics
import ServiceLifecycle
import Synchronization
import Testing
import Tracing

@Suite("R66: spans are sent to a collector", .timeLimit(.minutes(1)))
struct OTLPExporterTests {
    private let queue = SpanQueue(limit: 2_000)
    private let metrics = PrometheusRegistry(help: [:])
    private let lines = LogLines()

    private func add(_ count: Int) {
        let tracer = OTLPTracer(queue: self.queue)
        for number in 0..<count { tracer.startSpan("span \(number)", context: .topLevel).end() }
    }

    /// Runs an exporter while the body runs, and lets it send what is left.
    private func run(_ endpoint: String, _ body: @escaping @Sendable () async throws -> Void) async throws {
        let exporter = OTLPExporter(
            endpoint: endpoint,
            encoding: OTLPEncoding(resource: [:], version: "1"),
            queue: self.queue,
            factory: self.metrics,
            logger: self.lines.logger()
        )
        let group = ServiceGroup(services: [exporter], logger: Logger(label: "t") { _ in SwiftLogNoOpLogHandler() })
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            try await body()
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    private func count(_ name: String) -> Int {
        let line = self.metrics.text().split(separator: "\n").first { $0.hasPrefix("intentd_spans_\(name)_total ") }
        return line.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
    }

    @Test("All spans are posted to /v1/traces in requests of bounded size, the remaining ones when the process ends")
    func postsSpansInBoundedRequests() async throws {
        try await TestHTTPServer.run { _, _ in
            .init()
        } _: { server in
            self.add(1_300)
            try await self.run(server.url("/")) {
                await server.waitForRequests(3)
                self.add(3)
            }
            #expect(server.requests.count == 4)
            #expect(server.requests.allSatisfy { $0.method == "POST" && $0.path == "/v1/traces" })
            #expect(server.requests.allSatisfy { $0.headers["content-type"] == "application/x-protobuf" })
        }
        #expect(self.count("exported") == 1_303)
        #expect(self.count("dropped") == 0)
        #expect(self.lines.all.isEmpty)
    }

    @Test("A busy collector gets the same spans later; one warning is logged, and one line when it recovers")
    func retriesBusyCollector() async throws {
        try await TestHTTPServer.run { number, _ in
            .init(status: number < 3 ? 503 : 200)
        } _: { server in
            self.add(5)
            try await self.run(server.url("")) { await server.waitForRequests(4) }
            #expect(server.requests.count == 4)
            #expect(Set(server.requests.map(\.body)).count == 1)
        }
        #expect(self.count("dropped") == 0)
        #expect(self.lines.all.map(\.level) == [.warning, .notice])
    }

    @Test("Spans that the collector refuses, or for which there is no room, are dropped and counted")
    func countsRefusedAndDroppedSpans() async throws {
        try await TestHTTPServer.run { _, _ in
            .init(status: 400)
        } _: { server in
            self.add(2_010)
            try await self.run(server.url("")) { await server.waitForRequests() }
        }
        #expect(self.count("dropped") == 2_010)
        #expect(self.count("exported") == 0)
        #expect(self.lines.all.map(\.level) == [.warning])
    }

    @Test("Without a collector the process still exits, and logs how many spans are lost")
    func exitsWithoutCollector() async throws {
        self.add(7)
        try await self.run("http://127.0.0.1:1") { _ = try await self.lines.next(.warning, "Cannot export spans") }
        #expect(self.count("dropped") == 7)
        #expect(self.lines.all.map(\.level) == [.warning])
    }
}
