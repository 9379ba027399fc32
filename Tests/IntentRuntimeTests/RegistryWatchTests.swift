import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Logging
import Testing

@Suite("R15: different registries in one group are reported")
struct RegistryWatchTests {
    private static let interval = Duration.seconds(600)

    private let log = InMemoryLog()
    private let clock = ManualClock(at: Timestamp(milliseconds: 1_790_000_000_000))
    private let lines = LogLines()

    private var errors: [[String: String]] { self.lines.all.filter { $0.level == .error }.map(\.metadata) }

    private func registry(version: String = "1", timeout: Duration? = nil) throws -> IntentRegistry {
        try IntentRegistry([
            IntentExtension("Tests", handlerTimeout: timeout) {
                IntentRegistration(version: version) { GreetHandler() }
            }
        ])
    }

    private func digest(version: String = "1") throws -> RegistryDigest {
        RegistryDigest(try self.registry(version: version), RuntimeSettings())
    }

    private func deployment() async throws -> Deployment {
        try await Deployment.create(TopicPlan(partitions: 2), on: self.log).deployment
    }

    /// Runs a worker's watch until it has checked once, and then again after each of these times.
    private func check(
        _ worker: String,
        _ digest: RegistryDigest,
        _ deployment: Deployment,
        members: [String]? = ["a-0", "b-0"],
        again pauses: [Duration] = []
    ) async throws {
        let watch = RegistryWatch(
            .init(stage: .handle, worker: worker, digest: digest),
            deployment: deployment,
            log: self.log,
            members: { members },
            clock: self.clock,
            logger: self.lines.logger()
        )
        let task = Task { await watch.run() }
        await self.clock.sleepers(1)
        for pause in pauses {
            self.clock.advance(by: pause)
            await self.clock.sleepers(1)
        }
        task.cancel()
        await task.value
    }

    private func entries() async throws -> [(key: String, isRemoved: Bool)] {
        let topicPartition = TopicPartition("intents.state", 0)
        let end = try await self.log.offsets([topicPartition], at: .end)[topicPartition] ?? 0
        let reader = try await self.log.makeReader(from: [topicPartition: 0])
        var found: [(String, Bool)] = []
        var position: Int64 = 0
        while position < end {
            let batch = try await reader.next(maxRecords: 100, timeout: .seconds(1))
            for record in batch.records {
                let key = String(decoding: record.key ?? [], as: UTF8.self)
                if key.hasPrefix("//registry/") { found.append((key, record.value == nil)) }
            }
            position = batch.positions[topicPartition] ?? position
        }
        await reader.close()
        return found
    }

    @Test("Both workers and the intents that differ are named, each once")
    func namesBothWorkersAndDifferingIntents() async throws {
        let deployment = try await self.deployment()
        try await self.check("a", self.digest(), deployment)
        #expect(self.errors.isEmpty)
        try await self.check("b", self.digest(version: "2"), deployment, again: [.seconds(30), .seconds(600)])
        #expect(self.errors.count == 1)
        let metadata = try #require(self.errors.first)
        #expect(metadata["worker"] == "b")
        #expect(metadata["worker.other"] == "a")
        #expect(metadata["stage"] == "handle")
        #expect(metadata["intents"] == "GreetIntent")
    }

    @Test("A worker that stopped or left is not named", arguments: [[], ["b-0"], ["ab-0"]])
    func ignoresWorkerThatIsNoMember(members: [String]) async throws {
        let deployment = try await self.deployment()
        try await self.check("a", self.digest(), deployment)
        let again = [Duration.seconds(600), .seconds(600)]
        try await self.check("b", self.digest(version: "2"), deployment, members: members, again: again)
        #expect(self.errors.isEmpty)
    }

    @Test("A worker that restarts with the same definitions within 30 s is not named")
    func ignoresRollingRestart() async throws {
        let deployment = try await self.deployment()
        try await self.check("a", self.digest(), deployment)
        let watch = RegistryWatch(
            .init(stage: .handle, worker: "b", digest: try self.digest(version: "2")),
            deployment: deployment,
            log: self.log,
            members: { ["a-0", "b-0"] },
            clock: self.clock,
            logger: self.lines.logger()
        )
        let task = Task { await watch.run() }
        await self.clock.sleepers(1)
        // The other worker comes back with what this one has.
        try await self.log.write([
            OutgoingRecord(
                topicPartition: TopicPartition("intents.state", 0),
                key: Array("//registry/handle/a".utf8),
                value: try self.announcement(version: "2")
            )
        ])
        self.clock.advance(by: .seconds(30))
        await self.clock.sleepers(1)
        task.cancel()
        await task.value
        #expect(self.errors.isEmpty)
    }

    /// The entry of a worker with a registry of that version.
    private func announcement(version: String) throws -> [UInt8] {
        let digest = try self.digest(version: version)
        let entry: JSONValue = [
            "intents": .object(digest.intents.mapValues(JSONValue.string)), "settings": .string(digest.settings),
            "at": .integer(self.clock.now.milliseconds),
        ]
        return entry.utf8
    }

    @Test("Workers with equal registries log nothing")
    func equalRegistriesLogNothing() async throws {
        let deployment = try await self.deployment()
        try await self.check("a", self.digest(), deployment)
        try await self.check("b", self.digest(), deployment)
        #expect(self.errors.isEmpty)
        #expect(try await self.entries().map(\.key) == ["//registry/handle/a", "//registry/handle/b"])
    }

    @Test("A worker that restarts unchanged writes nothing; one that has changed writes once")
    func writesOnlyChangedEntries() async throws {
        let deployment = try await self.deployment()
        for _ in 0..<3 { try await self.check("a", self.digest(), deployment) }
        #expect(try await self.entries().count == 1)
        for _ in 0..<2 { try await self.check("a", self.digest(version: "2"), deployment) }
        #expect(try await self.entries().count == 2)
        #expect(self.errors.isEmpty)
    }

    @Test("The entry of a departed worker is removed, and no longer compared with")
    func removesEntryOfDepartedWorker() async throws {
        let deployment = try await self.deployment()
        try await self.check("a", self.digest(), deployment)
        self.clock.advance(by: Self.interval * 3 + .seconds(1))
        try await self.check("b", self.digest(version: "2"), deployment)
        #expect(self.errors.isEmpty)
        let entries = try await self.entries()
        #expect(entries.contains { $0.key == "//registry/handle/a" && $0.isRemoved })
        #expect(entries.contains { $0.key == "//registry/handle/b" && !$0.isRemoved })
    }

    private struct AnyHandler<HandledIntent: Intent>: IntentHandler {
        var handling: Handling<HandledIntent> { Handle { _, _ in IntentResponse(code: .failure) } }
    }

    /// The digest of an intent whose handler always has the same name and version.
    private static func digest<HandledIntent: Intent>(of intent: HandledIntent.Type) throws -> RegistryDigest {
        var registration = IntentRegistration { AnyHandler<HandledIntent>() }
        registration.handlerName = "AnyHandler"
        let registry = try IntentRegistry([IntentExtension("Tests") { registration }])
        return RegistryDigest(registry, RuntimeSettings())
    }

    private enum Orders {
        struct Plain: Intent {
            static let intentName = "Order"
            @Parameter var count: Int?
        }

        struct Required: Intent {
            static let intentName = "Order"
            @Parameter(isRequired: true) var count: Int?
        }

        struct Few: Intent {
            static let intentName = "Order"
            @Parameter(in: 1...9) var count: Int?
        }

        struct Many: Intent {
            static let intentName = "Order"
            @Parameter(in: 1...99) var count: Int?
        }

        struct Even: Intent {
            static let intentName = "Order"
            @Parameter(values: [2, 4]) var count: Int?
        }

        struct One: Intent {
            static let intentName = "Order"
            @Parameter(default: 1) var count: Int?
        }
    }

    @Test("Declarations about a parameter's values are compared, also under the same version")
    func comparesDeclarationsOfValues() throws {
        let digests = try [
            Self.digest(of: Orders.Plain.self), Self.digest(of: Orders.Required.self), Self.digest(of: Orders.Few.self),
            Self.digest(of: Orders.Many.self), Self.digest(of: Orders.Even.self), Self.digest(of: Orders.One.self),
        ]
        #expect(Set(digests).count == digests.count)
        #expect(try Self.digest(of: Orders.Few.self) == digests[2])
    }

    @Test("Versions, timeouts, policies, parameters and settings are compared")
    func comparesVersionsPoliciesParametersAndSettings() throws {
        let first = try self.digest()
        #expect(first.differences(from: first).isEmpty)
        #expect(try self.digest(version: "2").differences(from: first) == ["GreetIntent"])
        let slow = RegistryDigest(try self.registry(timeout: .seconds(7)), RuntimeSettings())
        #expect(slow.differences(from: first) == ["GreetIntent"])
        let patient = try IntentRegistry([
            IntentExtension("Tests") { IntentRegistration(retry: RetryPolicy(attempts: 9)) { GreetHandler() } }
        ])
        #expect(RegistryDigest(patient, RuntimeSettings()).differences(from: first) == ["GreetIntent"])
        let asked = try IntentRegistry([
            IntentExtension("Tests") { IntentRegistration(confirmation: .always) { GreetHandler() } }
        ])
        #expect(RegistryDigest(asked, RuntimeSettings()).differences(from: first) == ["GreetIntent"])
        #expect(RegistryDigest(try IntentRegistry([]), RuntimeSettings()).differences(from: first) == ["GreetIntent"])
        var settings = RuntimeSettings()
        settings.promptTimeout = .seconds(1)
        #expect(RegistryDigest(try self.registry(), settings).differences(from: first) == ["settings"])
        settings = RuntimeSettings()
        settings.unknownMembers = .reject
        #expect(RegistryDigest(try self.registry(), settings).differences(from: first) == ["settings"])
        // The speed of a worker makes no difference to its results.
        settings = RuntimeSettings()
        settings.handlerConcurrency = 1
        #expect(RegistryDigest(try self.registry(), settings) == first)
    }
}
