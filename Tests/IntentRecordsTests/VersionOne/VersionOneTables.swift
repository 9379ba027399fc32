import GRDB
import IntentEvents
import IntentKit
import IntentRuntime

@testable import SQLiteStore

/// The tables of version 1 with one row a record, inside a transaction: `events`, `turns`, `user_activities`,
/// `dead_letters`.
struct VersionOneTables {
    private let events: PreparedStatement
    private let turns: PreparedStatement
    private let userActivities: PreparedStatement
    private let deadLetters: PreparedStatement

    /// Prepares the statements.
    init(_ database: Database) throws {
        self.events = try Self.insert(into: "events", columns: 15, database)
        self.turns = try Self.insert(into: "turns", columns: 22, database)
        self.userActivities = try Self.insert(into: "user_activities", columns: 13, database)
        self.deadLetters = try Self.insert(into: "dead_letters", columns: 13, database)
    }

    /// A statement that sets every column of a table, in the order of ``RecordSchema``.
    private static func insert(into table: String, columns: Int, _ database: Database) throws -> PreparedStatement {
        let placeholders = Array(repeating: "?", count: columns).joined(separator: ",")
        return try PreparedStatement(database, "INSERT INTO \(table) VALUES (\(placeholders))")
    }

    /// Writes a record's rows.
    func insert(_ record: DecodedRecord) throws {
        try self.insertEvent(record)
        switch record.meaning {
        case .event: break
        case .turn(let turn): try self.insert(turn, of: record)
        case .userActivity(let data): try self.insert(activity: data, of: record)
        case .deadLetter(let headers): try self.insert(headers, of: record)
        }
    }

    private func insertEvent(_ decoded: DecodedRecord) throws {
        let record = decoded.record
        let statement = self.events
        try statement.bind(decoded.topic.rawValue, at: 1)
        try statement.bind(Int64(record.topicPartition.partition), at: 2)
        try statement.bind(record.offset, at: 3)
        try statement.bind(record.timestamp, at: 4)
        try statement.bind(decoded.event?.id, at: 5)
        try statement.bind(decoded.event?.type ?? decoded.defect?.type, at: 6)
        try statement.bind(decoded.event?.source, at: 7)
        try statement.bind(decoded.event?.time.milliseconds, at: 8)
        try statement.bind(decoded.event?.subject ?? decoded.defect?.subject, at: 9)
        try statement.bind(decoded.event?.userID ?? decoded.defect?.userID, at: 10)
        try statement.bind(decoded.event?.causationID, at: 11)
        try statement.bind(decoded.event?.request, at: 12)
        switch record.key {
        case nil: try statement.bindNull(at: 13)
        case let key? where String(validating: key, as: UTF8.self) != nil: try statement.bind(text: key, at: 13)
        case let key?: try statement.bind(blob: key, at: 13)
        }
        try statement.bind(text: decoded.headers, at: 14)
        switch record.value {
        case nil: try statement.bindNull(at: 15)
        case let value? where decoded.isJSON: try statement.bind(text: value, at: 15)
        case let value?: try statement.bind(blob: value, at: 15)
        }
        try statement.run()
    }

    private func insert(_ turn: TurnRecord, of decoded: DecodedRecord) throws {
        let statement = self.turns
        try self.bindPosition(of: decoded, in: statement)
        try statement.bind(turn.stage.rawValue, at: 3)
        try statement.bind(turn.position.topic.rawValue, at: 4)
        try statement.bind(Int64(turn.position.partition), at: 5)
        try statement.bind(turn.position.offset, at: 6)
        try statement.bind(Int64(turn.generation), at: 7)
        try statement.bind(turn.eventID, at: 8)
        try statement.bind(turn.eventType, at: 9)
        try statement.bind(turn.userID, at: 10)
        try statement.bind(turn.interactionID, at: 11)
        try statement.bind(turn.request, at: 12)
        try statement.bind(turn.intentName, at: 13)
        try statement.bind(Int64(turn.opened ? 1 : 0), at: 14)
        try statement.bind(turn.at.milliseconds, at: 15)
        try statement.bind(Int64(turn.attempt), at: 16)
        try statement.bind(turn.worker, at: 17)
        try statement.bind(turn.handlerName, at: 18)
        try statement.bind(turn.handlerVersion, at: 19)
        try statement.bind(turn.outcome.rawValue, at: 20)
        try statement.bind(turn.previousDigest, at: 21)
        try statement.bind(RecordDigest.of(decoded.record), at: 22)
        try statement.run()
    }

    private func insert(activity data: JSONValue, of decoded: DecodedRecord) throws {
        guard let event = decoded.event else { return }
        let interaction = data["interaction"]
        let statement = self.userActivities
        try self.bindPosition(of: decoded, in: statement)
        try statement.bind(event.subject?.text ?? interaction?["identifier"]?.string, at: 3)
        try statement.bind(event.request, at: 4)
        try statement.bind(event.userID, at: 5)
        try statement.bind(event.time.milliseconds, at: 6)
        try statement.bind(data["activityType"]?.string, at: 7)
        try statement.bind(data["title"]?.string, at: 8)
        try statement.bind(data["userInfo"]?.description, at: 9)
        try statement.bind(interaction?["intent"]?["name"]?.string, at: 10)
        try statement.bind(interaction?["intentResponse"]?["code"]?.string, at: 11)
        try statement.bind(interaction?["intentHandlingStatus"]?.string, at: 12)
        try statement.bind(interaction?["groupIdentifier"]?.string, at: 13)
        try statement.run()
    }

    private func insert(_ headers: DeadLetterHeaders, of decoded: DecodedRecord) throws {
        let statement = self.deadLetters
        try self.bindPosition(of: decoded, in: statement)
        try statement.bind(decoded.record.timestamp, at: 3)
        try statement.bind(headers.error, at: 4)
        try statement.bind(headers.detail, at: 5)
        try statement.bind(decoded.event?.userID ?? decoded.defect?.userID, at: 6)
        try statement.bind(decoded.event?.type ?? decoded.defect?.type, at: 7)
        try statement.bind(headers.topic, at: 8)
        try statement.bind(headers.partition, at: 9)
        try statement.bind(headers.offset, at: 10)
        try statement.bind(headers.timestamp, at: 11)
        try statement.bind(headers.exceptionClass, at: 12)
        try statement.bind(headers.exceptionMessage, at: 13)
        try statement.run()
    }

    private func bindPosition(of decoded: DecodedRecord, in statement: PreparedStatement) throws {
        try statement.bind(Int64(decoded.record.topicPartition.partition), at: 1)
        try statement.bind(decoded.record.offset, at: 2)
    }
}
