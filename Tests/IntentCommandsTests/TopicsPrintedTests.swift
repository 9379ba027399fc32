import IntentEvents
import IntentKit
import IntentRuntime
import Testing

@testable import IntentCommands

@Suite("What commands print about topics", .timeLimit(.minutes(1)))
struct TopicsPrintedTests {
    @Test("The topics that were created, or that all exist; a list of them, in text and as JSON")
    func printsCreatedAndListedTopics() async throws {
        try await BrokerDirectory.with { _, options in
            let names = Topic.allCases.map { $0.name(prefix: "intents").text }
            let list = ["topics", "list"] + options
            #expect(await Printed.by(list).text.isEmpty)
            let made = await Printed.by(["topics", "create", "--partitions", "2"] + options)
            #expect(made.status == 0)
            #expect(Set(made.lines) == Set(names.map { "created \($0)" }))
            let again = await Printed.by(["topics", "create"] + options)
            #expect(again.lines == ["all topics of intents exist, with 2 partitions"])
            let json = try JSONValue(parsing: await Printed.by(["topics", "create", "--json"] + options).text)
            #expect(json == ["created": [], "prefix": "intents", "partitions": 2])
            let table = await Printed.by(list).lines
            #expect(table.first?.contains("TOPIC") == true)
            #expect(table.count == names.count + 1)
            let listed = try await Printed.by(list + ["--json"]).lines.map { try JSONValue(parsing: $0) }
            #expect(Set(listed.compactMap { $0["name"]?.string }) == Set(names))
            #expect(listed.allSatisfy { $0["partitions"] == 2 })
        }
    }

    @Test("Records, one line each, in text and as JSON; nothing for an empty topic")
    func printsOneLinePerRecord() async throws {
        try await BrokerDirectory.with { log, options in
            let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 1), on: log)
            let events = (0..<2)
                .map { number in
                    Event(
                        id: "e\(number)",
                        source: "/tests",
                        type: .intentRequested,
                        time: Timestamp(milliseconds: 0),
                        subject: InteractionID("i\(number)"),
                        userID: "anna",
                        data: ["intent": ["name": "OrderLemonade"], "user": ["id": "anna"]]
                    )
                }
            let topicPartition = TopicPartition(Topic.requests.name(prefix: deployment.prefix), 0)
            let producer = try await log.makeProducer()
            _ = try await producer.send(
                events.map { OutgoingRecord(topicPartition: topicPartition, content: $0.content) }
            )
            await producer.close()
            let tail = ["tail", "--from-beginning", "--until-end"] + options
            let shown = await Printed.by(tail + ["requests"])
            #expect(shown.status == 0)
            #expect(shown.lines.count == 2)
            #expect(shown.lines.first?.contains("requests/0/0") == true)
            let lines = try await Printed.by(tail + ["requests", "--json"]).lines.map { try JSONValue(parsing: $0) }
            #expect(lines.map { $0["subject"] } == ["i0", "i1"])
            #expect(await Printed.by(tail + ["responses"]).text.isEmpty)
        }
    }
}
