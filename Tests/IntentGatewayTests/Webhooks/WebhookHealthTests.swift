import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import LocalHTTP
import Logging
import Synchronization
import Testing

@testable import IntentGateway
@testable import IntentOperations

@Suite("What is measured and reported of a webhook that posts nothing (R88j)", .timeLimit(.minutes(2)))
struct WebhookHealthTests {
    /// A log that refuses a gateway.
    private final class RefusingLog: ForwardingLog {
        enum Refusal: Sendable {
            case group
            /// Commits with dead letters.
            case letters
        }

        let log: InMemoryLog
        fileprivate let refusal: Mutex<Refusal?>
        /// Called when something is refused.
        fileprivate let onRefusal: @Sendable () -> Void

        init(_ log: InMemoryLog, _ refusal: Refusal, onRefusal: @escaping @Sendable () -> Void = {}) {
            self.log = log
            self.refusal = Mutex(refusal)
            self.onRefusal = onRefusal
        }

        func allow() { self.refusal.withLock { $0 = nil } }

        fileprivate func check(_ refusal: Refusal) throws(LogError) {
            guard self.refusal.withLock(\.self) == refusal else { return }
            self.onRefusal()
            throw LogError(.notAuthorized, "the broker refuses it", isRetriable: false)
        }

        func makeLane(_ configuration: LaneConfiguration) async throws(LogError) -> any TransactionalLane {
            try self.check(.group)
            return RefusingLane(lane: try await self.log.makeLane(configuration), log: self)
        }
    }

    private struct RefusingLane: ForwardingLane {
        let lane: any TransactionalLane
        let log: RefusingLog

        func commit(_ batch: LaneCommit) async throws(LogError) {
            if !batch.records.isEmpty { try self.log.check(.letters) }
            try await self.lane.commit(batch)
        }
    }

    private static let logger = Logger(label: "intentd.tests") { _ in SwiftLogNoOpLogHandler() }

    private static func service(
        _ log: any EventLog,
        _ deployment: Deployment,
        to address: String,
        _ monitor: Monitor
    ) throws -> WebhookService {
        let secret = try #require(WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        return WebhookService(
            Webhook("http://\(address)/hook", secrets: [secret]),
            log: log,
            deployment: deployment,
            name: "gateway-0",
            metrics: monitor.factory,
            logger: Self.logger
        )
    }

    private static func monitor(_ log: InMemoryLog, _ deployment: Deployment) -> Monitor {
        Monitor(factory: nil, probe: Probe(log: log, deployment: deployment, ledger: nil), logger: Self.logger)
    }

    /// What is measured of the webhook, by the metrics' names.
    private static func figures(_ service: WebhookService, _ monitor: Monitor) async throws -> [String: String] {
        await service.publish(to: monitor.factory)
        let text = try #require(await monitor.pages["/metrics"]?().text)
        let prefix = "intentd_gateway_webhooks_"
        let lines = text.split(separator: "\n").filter { $0.hasPrefix(prefix) && !$0.contains("post") }
        return Dictionary(
            uniqueKeysWithValues: lines.map { line in
                let parts = line.dropFirst(prefix.count).split(separator: " ")
                return (String(parts[0]), String(parts[1]))
            }
        )
    }

    @Test("A gateway whose group is refused is not ready, and has neither lag nor age, which would be 0")
    func measuresRefusedGroup() async throws {
        let memory = InMemoryLog()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 2), on: memory)
        let (log, monitor) = (RefusingLog(memory, .group), Self.monitor(memory, deployment))
        let service = try Self.service(log, deployment, to: "127.0.0.1:1", monitor)
        #expect(try await Self.figures(service, monitor) == ["ready": "0"])
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            try await eventually { service.problem?.hasPrefix("is restarting: ") == true }
            #expect(try await Self.figures(service, monitor) == ["ready": "0"])
            log.allow()
            try await eventually { service.problem == nil }
            #expect(
                try await Self.figures(service, monitor) == ["ready": "1", "lag": "0", "oldest_age_seconds": "0"]
            )
            group.cancelAll()
            try await group.waitForAll()
        }
        await memory.close()
    }

    @Test("A gateway whose commits are refused stays not ready while it joins and posts again, until one succeeds")
    func staysNotReadyBetweenFailures() async throws {
        let memory = InMemoryLog()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 1), on: memory)
        let server = try await HTTPServer.listen(
            host: "127.0.0.1",
            port: 0,
            limits: HTTPServer.Limits(),
            logger: Self.logger
        ) { _ in HTTPServerResponse(status: 410, text: "\n") }
        let monitor = Self.monitor(memory, deployment)
        let seen = Mutex<[String?]>([])
        let watched = Mutex<WebhookService?>(nil)
        let log = RefusingLog(memory, .letters) {
            let problem = watched.withLock(\.self)?.problem
            seen.withLock { $0.append(problem) }
        }
        let service = try Self.service(log, deployment, to: server.address, monitor)
        watched.withLock { $0 = service }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            try await eventually { service.problem == nil }
            try await memory.write([deployment.notice(0, to: "ada")])
            try await eventually { seen.withLock(\.count) >= 3 }
            let problems = seen.withLock(\.self)
            #expect(problems.first == .some(nil))
            #expect(problems.dropFirst().allSatisfy { $0?.hasPrefix("is restarting: ") == true })
            log.allow()
            try await eventually { service.problem == nil }
            group.cancelAll()
            try await group.waitForAll()
        }
        watched.withLock { $0 = nil }
        let letters = try await DeadLetterBox(prefix: deployment.prefix, log: memory).letters { _ in true }
        #expect(letters.count == 1)
        await server.close()
        await memory.close()
    }

    @Test("A part that a process can serve without has its problem in /readyz, which is 200 nevertheless")
    func problemLeavesProcessReady() async throws {
        let log = InMemoryLog()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 1), on: log)
        let monitor = Self.monitor(log, deployment)
        await monitor.poll()
        monitor.watch("webhooks", isRequired: false) { "is restarting" }
        let ready = monitor.ready(at: .now)
        #expect(ready.status == 200)
        #expect(ready.text?.contains("\nNOT OK: webhooks: is restarting\n") == true)
        monitor.watch("gateway") { "is reading its topics" }
        #expect(monitor.ready(at: .now).status == 503)
        await log.close()
    }

    @Test("Connections and keys are measured while the brokers do not answer about the lag")
    func measuresWithoutBrokers() async throws {
        let log = InMemoryLog()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 1), on: log)
        let monitor = Self.monitor(log, deployment)
        let gate = Gate()
        let measuring = Task {
            await GatewayMetrics(monitor.factory)
                .measure(
                    connections: { 3 },
                    keys: { 2 },
                    lag: {
                        await gate.wait()
                        return 7
                    }
                )
        }
        func text() async -> String { await monitor.pages["/metrics"]?().text ?? "" }
        try await eventually {
            let text = await text()
            return text.contains("\nintentd_gateway_connections 3\n") && text.contains("\nintentd_gateway_keys 2\n")
        }
        gate.open()
        try await eventually { await text().contains("\nintentd_gateway_view_lag 7\n") }
        measuring.cancel()
        await measuring.value
        await log.close()
    }
}
