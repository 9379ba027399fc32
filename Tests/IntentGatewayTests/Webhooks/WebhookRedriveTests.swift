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

@Suite("R88i: dead letters of the webhook that are posted again", .timeLimit(.minutes(2)))
struct WebhookRedriveTests {
    private static let logger = Logger(label: "intentd.tests") { _ in SwiftLogNoOpLogHandler() }
    private static let by = OperatorAct.Operator("ops", via: "terminal", reason: "the receiver is back")

    /// A log with a dead letter for each of these users' events, and what a receiver is sent.
    private struct Bench {
        let log = InMemoryLog()
        let deployment: Deployment
        let server: HTTPServer
        let configuration: Configuration
        let directory: TemporaryDirectory

        var box: DeadLetterBox { DeadLetterBox(prefix: self.deployment.prefix, log: self.log) }

        init(_ users: [UserID], status: @escaping @Sendable (Int64) -> Int) async throws {
            let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 1), on: self.log)
            self.deployment = deployment
            try await self.log.write(users.enumerated().map { deployment.notice($0.offset, to: $0.element) })
            let letters = try await self.log.records(of: .responses, deployment)
                .map { record in
                    OutgoingRecord.deadLetter(
                        of: StoredRecord(record, topic: .responses),
                        at: record.topicPartition,
                        to: deployment.topicPartition(.deadLetters, 0),
                        .webhook("the webhook answered 500")
                    )
                }
            try await self.log.write(letters)
            self.server = try await HTTPServer.listen(
                host: "127.0.0.1",
                port: 0,
                limits: HTTPServer.Limits(),
                logger: WebhookRedriveTests.logger
            ) { request in
                let number = (try? JSONValue(parsing: request.body))?["data"]?["number"]?.integer ?? -1
                return HTTPServerResponse(status: status(number), text: "\n")
            }
            self.directory = try TemporaryDirectory()
            let secret = try self.directory.write("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", to: "secret")
            var configuration = Configuration()
            for (setting, value) in [
                (Setting.gatewayWebhookURL, SettingValue.text("http://\(self.server.address)/hook")),
                (.gatewayWebhookSecrets, .list(["file:\(secret)"])),
            ] {
                configuration.values[setting.key] = .init(value: value, origin: .byDefault)
            }
            self.configuration = configuration
        }

        /// What becomes of letters, by their offsets: "posted", or the reason.
        func redrive(_ offsets: [Int64], postTime: Duration? = nil) async throws -> [String] {
            let redrive = try await self.box.redrive(
                try await self.box.letters(named: offsets.map { DeadLetterName(partition: 0, offset: $0) }),
                of: self.deployment,
                self.configuration,
                isDryRun: false,
                by: WebhookRedriveTests.by,
                postTime: postTime
            )
            return redrive.steps.map { step in
                switch step.step {
                case .post: "posted"
                case .impossible(let reason): reason
                case .send, .alreadySent: "sent"
                }
            }
        }

        /// The letters of the operators' log, by kind of act.
        func acts(_ kind: OperatorAct.Kind) async throws -> [OperatorAct] {
            try await self.log.acts(kind, since: 0, prefix: self.deployment.prefix).map(\.act)
        }

        func close() async {
            await self.server.close()
            await self.log.close()
        }
    }

    @Test("A letter whose event was taken is marked as handled, once, and left out of the next redrive by filter")
    func marksWhatIsTaken() async throws {
        let isWell = Mutex(false)
        let bench = try await Bench(["ada", "bob"]) { number in number == 0 || isWell.withLock(\.self) ? 204 : 500 }
        #expect(try await bench.redrive([0, 1]) == ["posted", "the webhook answered 500"])
        let marks = try await bench.acts(.handled)
        #expect(marks.map(\.target) == ["0/0"] && marks.map(\.user) == ["ada"] && marks.map(\.by.name) == ["ops"])
        let posts = try await bench.acts(.redrive)
        #expect(posts.map(\.target) == ["0/0", "0/1"])
        let id = try #require(posts.first?.details["webhookId"]?.string)
        #expect(marks.first?.by.reason == "posted again as \(id)")
        let left = try await bench.box.list(DeadLetterFilter().unhandled, of: bench.deployment)
        #expect(left.map(\.letter.name) == ["0/1"])
        isWell.withLock { $0 = true }
        // By name it is posted again, and keeps its mark.
        #expect(try await bench.redrive([0, 1]) == ["posted", "posted"])
        #expect(try await bench.acts(.handled).map(\.target) == ["0/0", "0/1"])
        await bench.close()
    }

    @Test("After a failed post the user's later events are not posted; other users' are, and the oldest comes first")
    func keepsOrder() async throws {
        let sent = Mutex<[Int64]>([])
        let bench = try await Bench(["ada", "bob", "ada", "bob", "cleo"]) { number in
            sent.withLock { $0.append(number) }
            return number == 0 ? 500 : number == 4 ? 410 : 204
        }
        let results = try await bench.redrive([4, 3, 2, 1, 0])
        #expect(
            results == [
                "the webhook answered 410", "posted", "not tried: dead letter 0/0 of this user failed", "posted",
                "the webhook answered 500",
            ]
        )
        #expect(sent.withLock(\.self) == [0, 1, 3, 4])
        #expect(try await bench.acts(.redrive).map(\.target) == ["0/0", "0/1", "0/3", "0/4"])
        await bench.close()
    }

    @Test("After a post without an answer, and after its time, a redrive posts nothing more")
    func stops() async throws {
        let bench = try await Bench(["ada", "bob", "cleo"]) { _ in 204 }
        let late = try await bench.redrive([0, 1], postTime: .zero)
        #expect(late == Array(repeating: "not tried: the time for one redrive is over; redrive again", count: 2))
        #expect(try await bench.acts(.redrive).isEmpty)
        await bench.server.close()
        let results = try await bench.redrive([0, 1, 2])
        #expect(results.first?.hasPrefix("not tried") == false && results.first != "posted")
        #expect(
            results.dropFirst()
                == Array(repeating: "not tried: the webhook did not answer the post of 0/0", count: 2)[...]
        )
        #expect(try await bench.acts(.redrive).map(\.target) == ["0/0"])
        #expect(try await bench.acts(.handled).isEmpty)
        await bench.log.close()
    }
}
