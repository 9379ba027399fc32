import GRDB
import InMemoryLog
import IntentAudit
import IntentEvents
import IntentKit
import IntentLab
import IntentRecords
import IntentRuntime
import Testing

@Suite("Findings grouped by interaction")
struct FindingGroupTests {
    private static func finding(_ location: String, _ interaction: String?, intent: String? = nil) -> AuditFinding {
        let about = interaction.map {
            InteractionReference(interactionID: InteractionID($0), userID: "ada", intent: intent)
        }
        return AuditFinding(.output, location, "It is not there.", about: about)
    }

    @Test("Findings are grouped by interaction; those of none come last")
    func groupsFindingsByInteraction() {
        let groups = FindingGroup.groups([
            Self.finding("a", nil), Self.finding("b", "one"), Self.finding("c", "two"),
            Self.finding("d", "one", intent: "PayIntent"), Self.finding("e", nil),
        ])
        #expect(groups.map { $0.about?.interactionID?.text } == ["one", "two", nil])
        #expect(groups.map { $0.findings.map(\.location) } == [["b", "d"], ["c"], ["a", "e"]])
        #expect(groups[0].about?.intent == "PayIntent")
    }

    @Test("A finding with values comes before those that follow from it")
    func findingsWithValuesComeFirst() {
        var row = Self.finding("row", "one")
        row.values = [.init(column: "code", recorded: "success", topics: "failure")]
        let groups = FindingGroup.groups([Self.finding("a", "one"), row])
        #expect(groups.map { $0.findings.map(\.location) } == [["row", "a"]])
    }

    @Test("R46: whatever is altered about an interaction, the findings name it")
    func findingsNameTheirInteraction() async throws {
        let registrations = [IntentRegistration(confirmation: .always) { TransferHandler() }]
        let pipeline = try await Pipeline.run(registrations, partitions: 1) { pipeline in
            try await pipeline.transfer("first", user: "ada", recipient: nil)
            try await pipeline.transfer("second", user: "bob", recipient: "carol")
        }
        for topic in [Topic.requests, .resolved, .confirmed, .responses, .journal] {
            let all = try await pipeline.records(of: topic)
            for record in [all[0], all[all.count - 2]] {
                let tampered = TamperedLog(pipeline.log).changing(record) { $0.value?[0] ^= 1 }
                let report = try await pipeline.verify(on: tampered)
                let location = RecordPosition(topic, 0, record.offset)
                #expect(!report.isSound, "\(location)")
                #expect(
                    report.groups.contains { group in
                        guard let id = group.about?.interactionID, let user = group.about?.userID else { return false }
                        return [("first", "ada"), ("second", "bob")].contains { $0.0 == id.text && $0.1 == user.text }
                    },
                    "\(location): \(report.groups)"
                )
            }
        }
    }

    @Test("R46: a changed row is reported with both values, the topics' and its own")
    func changedRowShowsBothValues() async throws {
        let registrations = [IntentRegistration(confirmation: .always) { TransferHandler() }]
        let pipeline = try await Pipeline.run(registrations, partitions: 1) { pipeline in
            try await pipeline.transfer("pay-1", user: "ada", recipient: "bob", amount: 20)
        }
        let directory = try TemporaryDirectory()
        let path = directory.file("records.sqlite")
        _ = try await RecordDatabase.rebuild(at: path, from: pipeline.log, prefix: "intents")
        let connection = try DatabaseQueue(path: path)
        try await connection.write { database in
            try database.execute(
                sql: """
                    UPDATE events_kept SET value = replace(value, '"amount":20', '"amount":2')
                    WHERE topic = 'requests' AND "offset" = 0
                    """
            )
            try database.execute(sql: "UPDATE interactions_kept SET code = 'failure'")
        }
        try connection.close()
        let report = try await pipeline.verify(records: path)
        #expect(report.groups.map { $0.about?.interactionID?.text } == ["pay-1"])
        #expect(report.groups.first?.about?.userID == "ada")
        let values = report.findings.flatMap(\.values)
        let event = try #require(values.first { $0.column == "value" })
        #expect(Difference.first(event.recorded, event.topics)?.path == "intent.parameters.amount")
        #expect(Difference.first(event.recorded, event.topics)?.then == 2)
        #expect(Difference.first(event.recorded, event.topics)?.now == 20)
        #expect(values.contains { $0.column == "code" && $0.recorded == "failure" && $0.topics == "success" })
    }
}
