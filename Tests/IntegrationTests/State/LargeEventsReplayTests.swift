import IntentAudit
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import IntentScenarios
import Testing

@Suite("R42: replay finds every event, however large the ones around it are")
struct LargeEventsReplayTests {
    /// The largest value that a client may write, but for what is beside it.
    private static let large = 760_000

    @Test(
        "Many small requests, then a small one and thirty at the size limit, twice, all of one user",
        .timeLimit(.minutes(5))
    )
    func replaysUserWithManyLargeEvents() async throws {
        let extensions = [IntentExtension("Tests") { IntentRegistration(confirmation: .never) { AskingHandler() } }]
        let padding = JSONValue.string(String(repeating: "x", count: Self.large))
        try await Pipeline.run(on: .broker, .init(extensions: extensions, partitions: 1)) { pipeline in
            // The user's last request: when it has ended, all have.
            let last = pipeline.client.open(id: "i261", userID: "u1")
            defer { last.close() }
            let producer = try await pipeline.log.makeProducer()
            func send(_ number: Int, _ extra: JSONObject = [:]) async throws {
                var data: JSONObject = [
                    "intent": ["name": "AskingIntent", "parameters": ["text": "a"]], "user": ["id": "u1"],
                ]
                data.merge(extra) { $1 }
                let event = Event(
                    id: "e\(number)",
                    source: "/tests",
                    type: .intentRequested,
                    time: Timestamp(milliseconds: 0),
                    subject: InteractionID("i\(number)"),
                    userID: "u1",
                    data: .object(data)
                )
                _ = try await producer.send([
                    OutgoingRecord(
                        topicPartition: TopicPartition(Topic.requests.name(prefix: pipeline.deployment.prefix), 0),
                        key: Array("u1".utf8),
                        value: event.data.utf8,
                        headers: event.headers.map { LogHeader($0.name, bytes: $0.value) }
                    )
                ])
            }
            var count = 0
            for _ in 0..<200 {
                try await send(count)
                count += 1
            }
            for _ in 0..<2 {
                try await send(count)
                for number in 1...30 { try await send(count + number, ["padding": padding]) }
                count += 31
            }
            await producer.close()
            #expect(count == 262)
            var end = try await last.next(timeout: .seconds(240))
            while end.data["terminal"] != true { end = try await last.next(timeout: .seconds(240)) }
            #expect(end.data["endReason"] == "nominal")
            let environment = StageEnvironment(
                stage: .resolve,
                registry: try IntentRegistry(extensions),
                deployment: pipeline.deployment.id,
                prefix: pipeline.deployment.prefix,
                partitions: pipeline.deployment.partitions,
                worker: "replay"
            )
            let report = try await Replayer(
                log: pipeline.log,
                environment: environment,
                configuration: .init(parallelism: 2)
            )
            .run()
            #expect(report.isMatched, "\(report.verdicts.prefix(3).map(\.json))")
            #expect(report.turns >= 3 * count)
        }
    }
}
