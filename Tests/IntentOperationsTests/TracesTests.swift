import InMemoryTracing
import IntentLab
import Testing

@testable import IntentOperations

@Suite("R66: a process's tracing")
struct TracesTests {
    private static func start(_ text: String, sources: HandlerSources = HandlerSources()) throws -> Traces? {
        let directory = try TemporaryDirectory()
        let file = try directory.write(text + "\nlogLevel: critical\n", to: "c.yaml")
        let configuration = try ConfigurationReader.read(file: file, environment: [:], options: [])
        return HandlerSources.$current.withValue(sources) {
            Traces.start(configuration, worker: "w", factory: nil)
        }
    }

    @Test("Without a sample setting nothing is traced; with 0, the traces that clients have sampled are")
    func tracesOnlyWithSampleSetting() throws {
        #expect(try Self.start("") == nil)
        #expect(try Self.start("tracing:\n  endpoint: http://collector:4318") == nil)
        #expect(try Self.start("tracing:\n  sample: 0")?.services.count == 1)
    }

    @Test("A program's own tracer is used in place of a collector")
    func usesProgramsOwnTracer() throws {
        let sources = HandlerSources(tracer: InMemoryTracer())
        #expect(try Self.start("tracing:\n  sample: 1", sources: sources)?.services.isEmpty == true)
        #expect(try Self.start("", sources: sources) == nil)
    }

    @Test(
        "A collector's address needs a scheme and a host",
        arguments: ["collector:4318", "ftp://a", "http://", "a b"]
    )
    func refusesCollectorAddressWithoutSchemeOrHost(endpoint: String) throws {
        let failure = #expect(throws: OperationError.self) {
            _ = try Self.start("tracing:\n  sample: 1\n  endpoint: '\(endpoint)'")
        }
        #expect(failure?.message.contains("c.yaml:3: tracing.endpoint must be an address such as") == true)
    }
}
