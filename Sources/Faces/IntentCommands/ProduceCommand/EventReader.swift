import Foundation
import IntentEvents
import IntentKit
import IntentOperations
import WireDocuments
import WireRules

/// Reads structured events line by line, as clients send them, and reports what is wrong with one.
struct EventReader: Sendable {
    static let source = "intentd/produce"

    private static let nowhere = RecordPosition(.requests, 0, -1)

    /// The time for events that have none.
    private let now: Timestamp

    init(now: Timestamp) {
        self.now = now
    }

    /// Reads one event.
    /// - Throws: ``OperationError`` (65) that says what is wrong, without the location.
    func read(_ bytes: [UInt8]) throws(OperationError) -> Event {
        guard bytes.count <= Event.maximumInboundBytes else {
            throw self.failure(
                "the event has \(bytes.count) bytes; events have at most \(Event.maximumInboundBytes) (R47)"
            )
        }
        let json: JSONValue
        do throws(JSONParsingError) {
            json = try JSONValue(parsing: bytes, maximumDepth: Event.maximumInboundDepth)
        } catch {
            let column = error.offset + 1
            let hint = error.offset >= bytes.count ? "; is the line cut off?" : ""
            throw self.failure("this is not JSON: \(error.message) (column \(column))\(hint)")
        }
        guard let members = json.object else { throw self.failure("an event is an object, not \(json.kind)") }
        if let problem = try self.rule(for: json["type"]).problem(in: members, .received) {
            throw self.failure(problem.description)
        }
        try self.checkVocabulary(json)
        do throws(EventDecodingError) {
            var event = try Event(structured: json, position: Self.nowhere, timestamp: self.now)
            if json["id"] == nil { event.id = UUID().uuidString.lowercased() }
            if json["source"] == nil { event.source = Self.source }
            return event
        } catch {
            throw self.failure(error.code == .missingUser ? "the event has no user: set data.user.id" : error.detail)
        }
    }

    /// Checks the terms of a vocabulary: values inside a list have no rules of their own (R37).
    private func checkVocabulary(_ json: JSONValue) throws(OperationError) {
        guard json["type"]?.string == EventType.vocabularyReplaced.rawValue else { return }
        let strings = json["data"]?["strings"]?.array ?? []
        guard strings.count <= VocabularyEntry.maximumCount else {
            throw self.failure(
                "data.strings has \(strings.count) terms; at most \(VocabularyEntry.maximumCount) are allowed"
            )
        }
        for (index, string) in strings.enumerated() {
            if let problem = VocabularyEntry.problem(in: string) {
                throw self.failure("data.strings[\(index)]: \(problem)")
            }
        }
    }

    /// The rules for events from clients, by type.
    private static let rules: [String: ObjectRule] = Dictionary(
        uniqueKeysWithValues: EventRule.all.filter(\.type.isInbound).map { ($0.type.rawValue, $0.structured) }
    )

    private func rule(for type: JSONValue?) throws(OperationError) -> ObjectRule {
        guard let type, !type.isNull else { throw self.failure("type is missing; it must be a string") }
        guard let text = type.string else { throw self.failure("type must be a string, not \(type.kind)") }
        if let rule = Self.rules[text] { return rule }
        guard EventType(rawValue: text) == nil else {
            throw self.failure("type \"\(text)\" is written by intentd only (R14)")
        }
        let hint = NearMiss.hint(text, among: Self.rules.keys.sorted())
        throw self.failure("type \"\(text)\" is not an event type that clients send\(hint)")
    }

    private func failure(_ message: String) -> OperationError { OperationError(.badData, message) }
}
