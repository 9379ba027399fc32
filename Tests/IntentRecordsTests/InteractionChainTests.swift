import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@testable import IntentRecords

@Suite("R77: the chain of an interaction is read from its events")
struct InteractionChainTests {
    /// An event of a stage about the interaction whose request has that position.
    private static func record(
        _ offset: Int64,
        _ type: EventType,
        _ subject: InteractionID,
        _ request: RequestID,
        user: UserID = "bob",
        followsFrom: String? = nil,
        _ data: JSONObject
    ) -> LogRecord {
        var data = data
        data["user"] = ["id": user.json]
        let event = Event(
            id: "e\(offset)",
            source: "/intentd/handle",
            type: type,
            time: Timestamp(milliseconds: offset),
            subject: subject,
            userID: user,
            request: request,
            passedThrough: followsFrom.map { ["ce_followsfrom": $0] } ?? [:],
            data: .object(data)
        )
        return LogRecord(
            topicPartition: TopicPartition(Topic.responses.name(prefix: Traffic.prefix), 0),
            offset: offset,
            timestamp: offset,
            key: Array(user.utf8),
            value: event.data.utf8,
            headers: event.headers
        )
    }

    private static func end(_ intent: String, _ started: [JSONValue] = []) -> JSONObject {
        var data: JSONObject = ["intent": ["name": .string(intent)], "status": "success", "terminal": true]
        if !started.isEmpty { data["started"] = .array(started) }
        return data
    }

    @Test("What it follows from, and what follows: begun, due later, cancelled, and for another user")
    func chainIsRead() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("records.sqlite")
        let database = try await RecordDatabase.open(at: path, prefix: Traffic.prefix)
        let started: [JSONValue] = [
            ["name": "taxi", "interaction": "vet+taxi-1", "intent": "BookTaxi"],
            ["name": "later", "interaction": "vet+later-2", "intent": "Ask", "at": "1970-01-02T00:00:00.000Z"],
            ["name": "never", "interaction": "vet+never-3", "at": "1970-01-02T00:00:00.000Z"],
            ["name": "ada", "interaction": "vet+ada-4", "intent": "Approve", "user": "ada"],
        ]
        let state: JSONValue = ["name": "never", "interaction": "vet+never-3", "state": "cancelled"]
        try await RecordTables.write(
            [
                Self.record(0, .intentResponded, "vet", "0:7", Self.end("BookVet", started)),
                Self.record(1, .statusUpdated, "vet", "0:7", ["started": [state]]),
                Self.record(2, .intentResponded, "vet+taxi-1", "0:9", followsFrom: "0:7/1/taxi", Self.end("BookTaxi")),
                // Another user has chosen the same id.
                Self.record(3, .intentResponded, "vet+ada-4", "0:11", user: "eve", Self.end("Approve")),
            ],
            to: database
        )
        let archive = try await RecordArchive.open(at: path)
        let first = try #require(try await archive.story(ofInteraction: "vet")).chain
        #expect(first.origin == nil && first.following.map(\.name) == ["taxi", "later", "never", "ada"])
        #expect(first.following.map { $0.interaction?.request } == ["0:9", nil, nil, nil])
        #expect(first.following.map(\.state) == [nil, nil, "cancelled", nil])
        #expect(first.following.map(\.userID) == ["bob", "bob", "bob", "ada"])
        #expect(first.following[1].at == Timestamp(milliseconds: 86_400_000))
        let second = try #require(try await archive.story(ofInteraction: "vet+taxi-1")).chain
        #expect(second.origin?.name == "taxi" && second.origin?.intent == "BookVet" && second.following.isEmpty)
        #expect(second.origin?.interaction?.request == "0:7")
        await database.close()
    }
}
