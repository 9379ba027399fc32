import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@Suite("A stage's worker", .timeLimit(.minutes(1)))
struct StageWorkerTests {
    /// A log on which one lane's offsets cannot be resolved by anybody but an operator.
    private struct Log: ForwardingLog {
        let log = InMemoryLog()
        let broken: LaneName

        func makeLane(_ configuration: LaneConfiguration) async throws(LogError) -> any TransactionalLane {
            guard configuration.name != self.broken else { throw LogError(.offsetsLost, "offsets are lost") }
            return try await self.log.makeLane(configuration)
        }
    }

    @Test("When one lane needs an operator, the others leave, and the worker ends with that lane's error")
    func errorOfOneLaneEndsWorker() async throws {
        let log = Log(broken: "worker-1")
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 2), on: log)
        let registry = try IntentRegistry([IntentExtension("Tests") { [IntentRegistration { GreetHandler() }] }])
        var wiring = StageWiring(deployment, on: log, registry: registry)
        wiring.configure = { $0.lanes = 3 }
        let worker = wiring.worker(.resolve)
        let error = await #expect(throws: LogError.self) { try await worker.run() }
        #expect(error?.code == .offsetsLost)
        #expect(worker.health.map(\.report.phase) == [.left, .left, .left])
    }
}
