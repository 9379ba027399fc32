import EmbeddedBroker
import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import KafkaLog
import LocalHTTP
import Logging
import Synchronization
import Testing

@testable import IntentGateway
@testable import IntentOperations

@Suite("Events posted to a webhook (R88)", .timeLimit(.minutes(3)))
struct WebhookServiceTests {
    /// What a receiver was sent.
    private final class Receiver: Sendable {
        struct Post: Sendable {
            var id: String
            var user: String
            var number: Int64
        }

        private let posts = Mutex<[Post]>([])
        /// The status of the answer to the post of that number.
        private let status: @Sendable (Int, Post) -> Int

        init(_ status: @escaping @Sendable (Int, Post) -> Int) { self.status = status }

        /// Those that were taken.
        private let taken = Mutex<[Post]>([])

        var accepted: [Post] { self.taken.withLock(\.self) }
        var received: [Post] { self.posts.withLock(\.self) }

        func respond(to request: HTTPServerRequest) -> HTTPServerResponse {
            let data = (try? JSONValue(parsing: request.body))?["data"]
            let post = Post(
                id: request.headers["webhook-id"] ?? "",
                user: data?["user"]?.string ?? "",
                number: data?["number"]?.integer ?? -1
            )
            let number = self.posts.withLock { posts in
                posts.append(post)
                return posts.count
            }
            let status = self.status(number, post)
            if status == 200 { self.taken.withLock { $0.append(post) } }
            return HTTPServerResponse(status: status, text: "\n")
        }

        /// The numbers of a user's events, in the order in which each was first received.
        func order(of user: UserID) -> [Int64] {
            var seen: Set<String> = []
            return self.accepted.filter { $0.user == user.text && seen.insert($0.id).inserted }.map(\.number)
        }
    }

    private static let quiet = Logger(label: "intentd.tests") { _ in SwiftLogNoOpLogHandler() }
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    private static let users = (0..<6).map { UserID("user \($0)") }

    private static func service(
        _ log: any EventLog,
        _ deployment: Deployment,
        to server: HTTPServer,
        name: LaneName = "gateway-0",
        retryFor: Duration = .seconds(60)
    ) throws -> WebhookService {
        let secret = try #require(WebhookSecret(Self.secret))
        return WebhookService(
            Webhook("http://\(server.address)/hook", secrets: [secret], timeout: .seconds(5), retryFor: retryFor),
            log: log,
            deployment: deployment,
            name: name,
            metrics: nil,
            logger: Self.quiet
        )
    }

    /// Runs a service while the body runs, and stops it as a shutdown does.
    private static func run(_ service: WebhookService, _ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            try await eventually { service.problem == nil }
            try await body()
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    /// Delivers events through two runs of a gateway, of which the first one ends in the middle, to a receiver that
    /// fails now and then.
    private func deliverThroughRestart(_ log: any EventLog) async throws {
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 2), on: log)
        let receiver = Receiver { number, _ in number % 7 == 3 ? 500 : 200 }
        let server = try await HTTPServer.listen(host: "127.0.0.1", port: 0, limits: Self.limits, logger: Self.quiet) {
            receiver.respond(to: $0)
        }
        let count = 60
        let records = (0..<count).map { deployment.notice($0, to: Self.users[$0 % Self.users.count]) }
        try await Self.run(Self.service(log, deployment, to: server)) {
            try await log.write(Array(records.prefix(40)))
            try await eventually { receiver.accepted.count >= 20 }
        }
        try await log.write(Array(records.dropFirst(40)))
        try await Self.run(Self.service(log, deployment, to: server)) {
            try await eventually { Set(receiver.accepted.map(\.id)).count == count }
            let partitions = deployment.topicPartitions(of: .responses)
            try await eventually {
                let ends = try await log.offsets(partitions, at: .lastStable)
                let group = GroupName.webhooks(prefix: deployment.prefix)
                return try await log.committedOffsets(group: group, partitions: partitions) == ends
            }
        }
        for (index, user) in Self.users.enumerated() {
            #expect(receiver.order(of: user) == (0..<count).filter { $0 % Self.users.count == index }.map(Int64.init))
        }
        await server.close()
    }

    private static var limits: HTTPServer.Limits {
        var limits = HTTPServer.Limits()
        limits.idleSeconds = 60
        return limits
    }

    @Test("On the log in memory, events arrive in order by user through failures and a restart")
    func deliversInMemory() async throws {
        let log = InMemoryLog()
        try await self.deliverThroughRestart(log)
        await log.close()
    }

    @Test("On the embedded broker, events arrive in order by user through failures and a restart")
    func deliversOnBroker() async throws {
        let directory = try TemporaryDirectory()
        let broker = try await EmbeddedBroker.start(
            .init(path: directory.file("broker.sqlite")),
            logger: Self.quiet
        )
        let log = KafkaLog(KafkaLog.Configuration(brokers: ["127.0.0.1:\(broker.port)"]))
        try await self.deliverThroughRestart(log)
        await log.close()
        await broker.shutdown()
    }

    @Test("A refused event becomes a dead letter with its bytes, which a redrive posts again; the next event follows")
    func writesDeadLetters() async throws {
        let log = InMemoryLog()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 2), on: log)
        let isFixed = Mutex(false)
        let receiver = Receiver { _, post in post.number == 1 && !isFixed.withLock(\.self) ? 410 : 200 }
        let server = try await HTTPServer.listen(host: "127.0.0.1", port: 0, limits: Self.limits, logger: Self.quiet) {
            receiver.respond(to: $0)
        }
        let records = (0..<3).map { deployment.notice($0, to: "ada") }
        try await Self.run(Self.service(log, deployment, to: server)) {
            try await log.write(records)
            try await eventually { receiver.order(of: "ada") == [0, 2] }
        }
        #expect(receiver.received.map(\.number) == [0, 1, 2])
        let letters = try await DeadLetterBox(prefix: deployment.prefix, log: log).letters { _ in true }
        #expect(letters.count == 1)
        let letter = try #require(letters.first)
        #expect(letter.place == "webhooks")
        #expect(letter.headers.error == "webhookFailed")
        #expect(letter.headers.detail == "the webhook answered 410")
        #expect(letter.record.value == records[1].content.value)
        #expect(letter.headers.topic == "intents.responses")
        #expect(letter.headers.offset == 1)
        let refused = try #require(receiver.received.dropFirst().first)
        let directory = try TemporaryDirectory()
        let secret = try directory.write(Self.secret, to: "secret")
        var configuration = Configuration()
        func set(_ setting: Setting, _ value: SettingValue) {
            configuration.values[setting.key] = .init(value: value, origin: .byDefault)
        }
        set(.gatewayWebhookURL, .text("http://\(server.address)/hook"))
        set(.gatewayWebhookSecrets, .list(["file:\(secret)"]))
        func redrive(isDryRun: Bool) async throws -> String {
            let redrive = try await DeadLetterBox(prefix: deployment.prefix, log: log)
                .redrive(
                    letters,
                    of: deployment,
                    configuration,
                    isDryRun: isDryRun,
                    by: OperatorAct.Operator("ops", via: "terminal")
                )
            switch redrive.steps.first?.step {
            case .post: return "post"
            case .impossible(let reason): return reason
            case .send, .alreadySent, nil: return "nothing"
            }
        }
        #expect(try await redrive(isDryRun: true) == "post")
        #expect(receiver.received.count == 3)
        #expect(try await redrive(isDryRun: false) == "the webhook answered 410")
        isFixed.withLock { $0 = true }
        #expect(try await redrive(isDryRun: false) == "post")
        #expect(receiver.accepted.last?.id == refused.id)
        #expect(receiver.accepted.last?.number == 1)
        await server.close()
        await log.close()
    }

    @Test("Two gateways share the partitions, and each event is posted by one of them")
    func sharesPartitions() async throws {
        let log = InMemoryLog()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 2), on: log)
        let receiver = Receiver { _, _ in 200 }
        let server = try await HTTPServer.listen(host: "127.0.0.1", port: 0, limits: Self.limits, logger: Self.quiet) {
            receiver.respond(to: $0)
        }
        let records = (0..<30).map { deployment.notice($0, to: Self.users[$0 % Self.users.count]) }
        try await Self.run(Self.service(log, deployment, to: server)) {
            try await Self.run(Self.service(log, deployment, to: server, name: "gateway-1")) {
                try await log.write(records)
                try await eventually { Set(receiver.accepted.map(\.id)).count == records.count }
            }
        }
        for (index, user) in Self.users.enumerated() {
            #expect(receiver.order(of: user) == (0..<30).filter { $0 % Self.users.count == index }.map(Int64.init))
        }
        await server.close()
        await log.close()
    }

    @Test("A first gateway posts what is written from its start on, and nothing earlier")
    func beginsAtItsStart() async throws {
        let log = InMemoryLog()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 2), on: log)
        let receiver = Receiver { _, _ in 200 }
        let server = try await HTTPServer.listen(host: "127.0.0.1", port: 0, limits: Self.limits, logger: Self.quiet) {
            receiver.respond(to: $0)
        }
        try await log.write([deployment.notice(0, to: "ada")])
        try await Self.run(Self.service(log, deployment, to: server)) {}
        // Nobody ran: but the group has its offset.
        try await log.write([deployment.notice(1, to: "ada")])
        try await Self.run(Self.service(log, deployment, to: server)) {
            try await eventually { receiver.order(of: "ada") == [1] }
        }
        await server.close()
        await log.close()
    }
}
