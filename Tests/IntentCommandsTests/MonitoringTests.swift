import Connections
import Foundation
import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import IntentScenarios
import KafkaLog
import LibCurl
import LocalHTTP
import Logging
import NIOCore
import NIOPosix
import OTLPTraces
import Synchronization
import Telemetry
import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("Metrics and health over HTTP", .timeLimit(.minutes(1)))
struct MonitoringTests {
    private static let definition = """
        name: OrderLemonade
        confirmation: never
        parameters:
          - {name: flavour, type: string, required: true, values: [lemon, rhubarb]}
        """

    /// Runs everything in this process on an embedded broker while the body runs.
    private func withDeployment(
        _ body: @escaping @Sendable (_ assembly: Assembly, _ monitoring: Monitoring) async throws -> Void
    ) async throws {
        try await LemonadeStand.open(Self.definition, listening: .monitoringListen) { assembly, _, _ in
            let monitoring = try #require(try await Monitoring.start(assembly))
            let services = try assembly.services(
                WorkerRole.allCases,
                name: "test",
                lanes: 1,
                isScripted: false,
                monitor: monitoring.monitor
            )
            try await assembly.run(services + monitoring.services).during { try await body(assembly, monitoring) }
        }
    }

    private static func get(_ path: String, _ monitoring: Monitoring) async throws -> (status: Int, text: String) {
        let request = HTTPRequest(
            nil,
            to: "http://\(monitoring.address)\(path)",
            timeout: .seconds(10),
            maximumBytes: 8 << 20
        )
        let reply = try await HTTPSession.shared.reply(to: request)
        return (reply.status, String(decoding: reply.body, as: UTF8.self))
    }

    /// Repeats a request until the answer is as expected.
    private static func wait(
        _ path: String,
        _ monitoring: Monitoring,
        until isRight: (_ status: Int, _ text: String) -> Bool
    ) async throws -> String {
        try await eventually(within: .seconds(40)) {
            isRight($0.status, $0.text)
        } ask: {
            try await Self.get(path, monitoring)
        }
        .text
    }

    @Test("A deployment becomes ready, counts what it does, and is shown by status; text from clients becomes no label")
    func metricsHealthAndStatusOfDeployment() async throws {
        try await self.withDeployment { assembly, monitoring in
            // A lane is ready while it waits for its partitions, too.
            let ready = try await Self.wait("/readyz", monitoring) { status, text in
                status == 200 && !text.contains("standby")
            }
            #expect(ready.hasPrefix("ok\n"))
            #expect(ready.contains("ok: resolve test-0: is working on 8 partitions\n"))
            #expect(ready.contains("ok: record test: is working on 8 partitions\n"))
            #expect(ready.contains("ok: broker: answers\n"))
            #expect(try await Self.get("/livez", monitoring) == (200, "ok\n"))
            #expect(await RootCommand.run(["status", monitoring.address]) == 0)

            let client = try await ConversationClient(assembly.deployment, on: assembly.log)
            let talking = Task { try await client.run() }
            for (number, intent) in ["OrderLemonade", "OrderLemonade", "Made\"Up\n"].enumerated() {
                let id = InteractionID("i\(number)")
                let conversation = client.open(id: id, userID: "anna")
                let data: JSONValue = [
                    "intent": ["name": .string(intent), "parameters": ["flavour": "lemon"]], "user": ["id": "anna"],
                ]
                try await conversation.send([
                    conversation.makeEvent(EventType.intentRequested.rawValue, data: data)
                ])
                while try await conversation.next(timeout: .seconds(30)).data["terminal"] != true {}
                conversation.close()
            }
            talking.cancel()
            _ = await talking.result

            // A batch is counted once it is committed, a moment after its answer can be read. The members of the groups
            // are measured every few seconds, so the last measurement may be from before the lanes joined.
            let members = WorkerRole.allCases.map {
                "\n" + #"intentd_consumer_members{messaging_consumer_group_name="intents.\#($0.rawValue)"} 1"# + "\n"
            }
            let text = try await Self.wait("/metrics", monitoring) { _, text in
                text.contains(#"intentd_turns_total{intent="OrderLemonade",outcome="ended",stage="handle"} 2"#)
                    && text.contains(#"intentd_turns_total{intent="unsupported",outcome="ended",stage="resolve"} 1"#)
                    && members.allSatisfy(text.contains)
            }
            #expect(text.contains(#"intentd_turns_total{intent="OrderLemonade",outcome="passed",stage="resolve"} 2"#))
            #expect(text.contains(#"intentd_interactions_started_total{intent="OrderLemonade",stage="resolve"} 2"#))
            #expect(
                text.contains(
                    #"intentd_interactions_ended_total{code="success",end_reason="nominal",intent="OrderLemonade","#
                )
            )
            #expect(text.contains(#"intentd_turn_duration_seconds_count{intent="OrderLemonade",outcome="ended","#))
            #expect(text.contains(#"intentd_lane_partitions{lane="test-0",stage="confirm"} 8"#))
            #expect(text.contains(#"intentd_handler_active{intent="OrderLemonade",stage="handle",state="running"} 0"#))
            #expect(text.contains(#"intentd_state_entries{lane="test-0",stage="resolve"} 3"#))
            #expect(!text.contains("Made"))
            #expect(!text.contains("anna"))
            #expect(text.contains("# HELP intentd_turns_total Committed turns"))
        }
    }

    @Test("Monitoring.md names every metric, and none that does not exist")
    func operatingGuideNamesEveryMetric() throws {
        let path = "Sources/Core/IntentRuntime/Documentation.docc/Monitoring.md"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let start = try #require(text.range(of: "## What is measured"))
        let section = text[start.upperBound...].components(separatedBy: "\n## ")[0]
        var prefix = ""
        var told: Set<String> = []
        // Every second piece stands between backquotes.
        for (index, piece) in section.components(separatedBy: "`").enumerated() where index % 2 == 1 {
            if piece.hasSuffix("…") {
                prefix = String(piece.dropLast())
            } else if piece.hasPrefix("intentd_") || piece.hasPrefix("messaging_") {
                told.insert(piece)
            } else if !prefix.isEmpty {
                told.insert(prefix + piece)
            }
        }
        #expect(told == Set(Metrics.all.map { $0.name.replacing(".", with: "_") }))
    }

    @Test("A store that takes no writes is reported with its error or the time; a write that hangs is not tried twice")
    func reportsStoreThatHangs() async throws {
        let log = InMemoryLog()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 1), on: log)
        let gate = Gate()
        let store = TriedStore { _ in
            await gate.wait()
            throw StoreBusyError("the disk is full")
        }
        let probe = Probe(log: log, deployment: deployment, ledger: store, writeTimeout: .milliseconds(20))
        func answer() async throws -> String {
            switch try #require(await probe.askStore()) {
            case .success: "accepts writes"
            case .failure(let failure): failure.description
            }
        }
        for _ in 0..<3 { #expect(try await answer() == "has not completed a write in 0.02 seconds") }
        #expect(store.writes == 1)
        gate.open()
        let full = "cannot write: The database is temporarily unavailable: the disk is full"
        try await eventually(within: .seconds(40)) { try await answer() == full }
    }

    @Test("A broker that does not answer is reported once, at the second failure, and once when it is back")
    func reportsBrokerLossAndReturnOnce() {
        var answers = BrokerAnswers()
        let notes = [nil, "a", nil, "b", "c", "d", nil, nil, "e", "f", nil].map { answers.record(failure: $0) }
        #expect(
            notes == [
                nil, nil, nil, nil, .unavailable("c"), nil, .available, nil, nil, .unavailable("f"), .available,
            ]
        )
    }

    @Test("A broker that does not answer is reported with its error")
    func reportsBrokerError() async throws {
        let log = InMemoryLog()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 1), on: log)
        await log.close()
        let probe = Probe(log: log, deployment: deployment, ledger: nil)
        guard case .failure(let failure) = await probe.askBroker() else {
            Issue.record("It answered")
            return
        }
        #expect(failure.description.contains("closed"))
        #expect(await probe.askGroups([.handle]) == nil)
    }

    @Test("An unknown page, another method than GET and invalid HTTP are refused, and a silent connection is closed")
    func refusesHostileRequests() async throws {
        var limits = MonitoringServer.limits
        limits.headSeconds = 1
        let server = try await MonitoringServer.listen(
            host: "127.0.0.1",
            port: 0,
            hosts: HostNames(listeningOn: "0.0.0.0", includesAddresses: true, others: ["x"]),
            pages: ["/livez": { HTTPServerResponse(text: "ok\n") }],
            limits: limits,
            logger: LogLines().logger()
        )
        func ask(_ bytes: String) async throws -> String { try await Self.ask(bytes, of: server) }
        #expect(try await ask("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n").hasPrefix("HTTP/1.1 200 OK"))
        #expect(try await ask("HEAD /livez HTTP/1.1\r\nHost: x\r\n\r\n").hasSuffix("\r\n\r\n"))
        #expect(try await ask("GET /etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n").hasPrefix("HTTP/1.1 404"))
        #expect(try await ask("POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n").hasPrefix("HTTP/1.1 405"))
        let form = "POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na=1"
        #expect(try await ask(form).hasPrefix("HTTP/1.1 405"))
        #expect(try await ask("\u{0}\u{1}\u{2} nonsense\r\n\r\n").hasPrefix("HTTP/1.1 400"))
        let long = String(repeating: "a", count: 1 << 20)
        #expect(!(try await ask("GET /livez HTTP/1.1\r\nX: \(long)\r\n\r\n")).contains("200 OK"))
        // Half a request, and then nothing: the connection is closed when its time is up.
        #expect(try await ask("GET /livez HTTP/1.1\r\nHost:").isEmpty)
        await server.close()
    }

    /// Sends bytes and collects the answer until the server closes.
    private static func ask(_ bytes: String, of server: HTTPServer) async throws -> String {
        let answer = Gathering()
        let port = try #require(BrokerAddress(server.address)?.port)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(answer)
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        // The server may close before it has read everything.
        try? await channel.writeAndFlush(ByteBuffer(string: bytes)).get()
        try await channel.closeFuture.get()
        return answer.text
    }

    @Test(
        "A probe is answered while others hold connections without finishing a request, which is logged once",
        .enabled(if: HeldConnections.arePossible),
        arguments: HeldConnections.Manner.http
    )
    func answersProbesWhileConnectionsAreHeld(_ manner: HeldConnections.Manner) async throws {
        let lines = LogLines()
        let server = try await MonitoringServer.listen(
            host: "127.0.0.1",
            port: 0,
            hosts: HostNames(listeningOn: "127.0.0.1", includesAddresses: false),
            pages: ["/livez": { HTTPServerResponse(text: "ok\n") }],
            logger: lines.logger()
        )
        let held = try HeldConnections(1_000, to: try #require(BrokerAddress(server.address)?.port), manner)
        for _ in 0..<3 {
            let answer = try await Self.ask("GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", of: server)
            #expect(answer.hasPrefix("HTTP/1.1 200 OK"))
        }
        _ = try await lines.next(.warning, "Connection limit reached")
        held.close()
        await server.close()
        #expect(lines.all.count { $0.message.hasPrefix("Connection limit reached") } == 1)
    }

    @Test(
        "Host names that another site can have are refused: on loopback all but its own, elsewhere all but addresses",
        arguments: [
            ("127.0.0.1", "127.0.0.1:9464", true), ("127.0.0.1", "LocalHost", true), ("127.0.0.1", "[::1]:9464", true),
            ("127.0.0.1", "evil.example:9464", false), ("127.0.0.1", "10.0.0.7:9464", false),
            ("0.0.0.0", "10.0.0.7:9464", true), ("0.0.0.0", "[fd00::7]:9464", true), ("0.0.0.0", "localhost", true),
            ("0.0.0.0", "evil.example", false), ("0.0.0.0", "10.0.0.7.evil.example", false),
            ("0.0.0.0", "fd00::7", false), ("0.0.0.0", "", false), ("0.0.0.0", "Metrics.example:80", true),
            ("127.0.0.1", "metrics.example", true), ("worker-1", "worker-1:9464", true), ("::", "[::]:9464", true),
        ]
    )
    func refusesForeignHostNames(listen: String, host: String, isAnswered: Bool) async throws {
        let names = HostNames(
            listeningOn: listen,
            includesAddresses: !BrokerAddress(host: listen, port: 0).isLoopback,
            others: ["metrics.Example"]
        )
        let server = try await MonitoringServer.listen(
            host: "127.0.0.1",
            port: 0,
            hosts: names,
            pages: ["/livez": { HTTPServerResponse(text: "ok\n") }],
            logger: LogLines().logger()
        )
        let answer = try await Self.ask("GET /livez HTTP/1.1\r\nHost: \(host)\r\n\r\n", of: server)
        #expect(answer.hasPrefix(isAnswered ? "HTTP/1.1 200" : "HTTP/1.1 421"), "\(answer)")
        // A probe of HTTP/1.0 may have none; browsers always send one.
        #expect(try await Self.ask("GET /livez HTTP/1.0\r\n\r\n", of: server).hasPrefix("HTTP/1.1 200"))
        await server.close()
    }
}

/// Collects what comes.
private final class Gathering: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    private let bytes = Mutex<[UInt8]>([])

    var text: String { String(decoding: self.bytes.withLock(\.self), as: UTF8.self) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = self.unwrapInboundIn(data)
        self.bytes.withLock { $0 += buffer.readableBytesView }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
