import EmbeddedBroker
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import KafkaLog
import Logging
import SQLiteStore
import Synchronization
import Testing

/// Pauses through the broker and librdkafka, with stages that keep their state in files.
@Suite("R82d, R82e: pauses outlive the workers", .timeLimit(.minutes(3)))
struct PauseBrokerTests {
    private final class Calls: Sendable {
        private let names = Mutex<[String]>([])

        var all: [String] { self.names.withLock(\.self) }

        func add(_ name: String) { self.names.withLock { $0.append(name) } }
    }

    private struct Handler: IntentHandler {
        let calls: Calls

        var handling: Handling<AskingIntent> {
            Handle { intent, _ in
                self.calls.add(intent.text ?? "")
                return IntentResponse(code: .success)
            }
        }
    }

    private static let logger: Logger = {
        var logger = Logger(label: "intentd.test")
        logger.logLevel = .warning
        return logger
    }()

    private let calls = Calls()

    /// Runs workers that were started by the body.
    private func run(_ body: (Pipeline) async throws -> Void) async throws {
        let directory = try TemporaryDirectory()
        let broker = try await EmbeddedBroker.start(.init(path: directory.file("broker.sqlite")), logger: Self.logger)
        let log = KafkaLog(.init(brokers: ["127.0.0.1:\(broker.port)"]))
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 2), on: log)
        let registry = try IntentRegistry([
            IntentExtension("Tests") { IntentRegistration { Handler(calls: self.calls) } }
        ])
        var wiring = StageWiring(deployment, on: log, registry: registry)
        wiring.logger = Self.logger
        wiring.configure = { worker in
            let stage = worker.stage
            worker.isScripted = true
            worker.settings.formats.writes = 2
            worker.makeSpill = { lane in
                let path = directory.file("state-\(stage)-\(lane).sqlite")
                return try await SQLiteStateSpill.open(at: path, deployment: deployment.id)
            }
        }
        let pipeline = try await Pipeline(wiring)
        let result: Result<Void, any Error>
        do {
            try await body(pipeline)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        let error = await pipeline.stopWorkers()
        #expect(error == nil)
        await log.close()
        await broker.shutdown()
        try result.get()
    }

    private static func act(_ kind: OperatorAct.Kind, _ pipeline: Pipeline) async throws {
        var act = OperatorAct(kind, by: OperatorAct.Operator("ada", via: "terminal", reason: "maintenance"))
        act.target = "intent:AskingIntent"
        let now = SystemRuntimeClock().now
        try await pipeline.write(act.records(for: Stage.allCases, of: pipeline.deployment, now: now))
    }

    /// Waits until the lanes of all stages report so many pauses.
    private static func waitForPauses(_ count: Int, _ pipeline: Pipeline) async throws {
        try await eventually {
            pipeline.workers.flatMap(\.health).map(\.report)
                .allSatisfy { $0.phase == .working && $0.partitions == 2 && $0.pauses.count == count }
        }
    }

    @Test("What is paused is held by workers that start later, and done once after the pause")
    func outlivesWorkers() async throws {
        try await self.run { pipeline in
            pipeline.startWorkers()
            try await Self.act(.pause, pipeline)
            try await Self.waitForPauses(1, pipeline)
            try await pipeline.request("AskingIntent", ["text": "a"], user: "u1", subject: "i1")
            #expect(try await pipeline.next(of: "i1").data["paused"] != nil)
            await pipeline.stopWorkers()
            // Nobody reads this request before there are workers again.
            try await pipeline.request("AskingIntent", ["text": "b"], user: "u2", subject: "i2")
            pipeline.startWorkers()
            #expect(try await pipeline.next(of: "i2").data["paused"] != nil)
            try await Self.waitForPauses(1, pipeline)
            #expect(self.calls.all.isEmpty)
            await pipeline.stopWorkers()
            // The pause ends while no worker is running.
            try await Self.act(.resume, pipeline)
            pipeline.startWorkers()
            for id in ["i1", "i2"] as [InteractionID] {
                #expect(try await pipeline.end(of: id).data["endReason"] == "nominal")
            }
            #expect(self.calls.all.sorted() == ["a", "b"])
            try await Self.waitForPauses(0, pipeline)
        }
    }
}
