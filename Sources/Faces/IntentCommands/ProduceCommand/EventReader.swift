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
    func read(_ bytes: [UInt8]) throws(OperationError) -> Event { try self.check(bytes).event }

    /// Reads one event, and finds the first of its members that intentd does not read (R79).
    /// - Throws: ``OperationError`` (65) that says what is wrong, without the location.
    func check(_ bytes: [UInt8]) throws(OperationError) -> (event: Event, unknown: [ValueRule.UnknownMember]) {
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
        let rule = try self.rule(for: json["type"])
        if let problem = rule.problem(in: members, .received) { throw self.failure(problem.description) }
        try self.checkVocabulary(json)
        do throws(EventDecodingError) {
            var event = try Event(structured: json, position: Self.nowhere, timestamp: self.now)
            if json["id"] == nil { event.id = UUID().uuidString.lowercased() }
            if json["source"] == nil { event.source = Self.source }
            return (event, Self.mistakes(rule.unknown(in: members)))
        } catch {
            throw self.failure(error.code == .missingUser ? "the event has no user: set data.user.id" : error.detail)
        }
    }

    /// The unknown members that are probably mistakes: any in the data, and attributes that are almost known ones, since
    /// other extension attributes are a client's right.
    private static func mistakes(_ unknown: [ValueRule.UnknownMember]) -> [ValueRule.UnknownMember] {
        let mistakes = unknown.lazy.filter { member in
            !member.path.isEmpty || NearMiss.slip(member.name, among: member.known) != nil
        }
        return Array(mistakes.prefix(ClientMember.maximumNamed))
    }

    /// What is wrong with an unknown member: `data.intent.params is not read; did you mean parameters?`.
    static func description(of member: ValueRule.UnknownMember) -> String {
        let path = (member.path + [member.name]).map(ClientMember.shown).joined(separator: ".")
        return "\(path) is not read\(NearMiss.hint(member.name, among: member.known))"
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
