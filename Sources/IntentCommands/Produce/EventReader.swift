import Foundation
import IntentEvents
import IntentKit

/// Reads structured events line by line, as clients send them, and says what is wrong with one that is not right.
struct EventReader: Sendable {
    /// What an event's source is when it does not say.
    static let source = "intentd/produce"

    private static let headers = [EventHeader(EventHeaderName.contentType, "application/cloudevents+json")]
    private static let nowhere = RecordPosition(.requests, 0, -1)

    /// The time that goes into events that have none.
    private let now: Timestamp

    /// Reads events at this time.
    init(now: Timestamp) {
        self.now = now
    }

    /// Reads one event.
    /// - Throws: ``CommandFailure`` (65) that says what is wrong, without the place.
    func read(_ bytes: [UInt8]) throws(CommandFailure) -> Event {
        guard bytes.count <= Event.maximumInboundBytes else {
            throw self.failure(
                "the event has \(bytes.count) bytes; events have at most \(Event.maximumInboundBytes) (SPEC R47)"
            )
        }
        let json: JSONValue
        do throws(JSONParsingError) {
            json = try JSONValue(parsing: bytes)
        } catch {
            let column = error.offset + 1
            let hint = error.offset >= bytes.count ? "; is the line cut off?" : ""
            throw self.failure("this is not JSON: \(error.message) (column \(column))\(hint)")
        }
        guard json.object != nil else { throw self.failure("an event is an object, not \(json.kind)") }
        for rule in MemberRule.envelope {
            if let problem = rule.problem(in: json) { throw self.failure(problem) }
        }
        let type = try self.type(json["type"]?.string ?? "")
        for rule in MemberRule.members(of: type) {
            if let problem = rule.problem(in: json) { throw self.failure(problem) }
        }
        return try self.event(bytes, json)
    }

    private func event(_ bytes: [UInt8], _ json: JSONValue) throws(CommandFailure) -> Event {
        do throws(EventDecodingError) {
            var event = try Event(headers: Self.headers, value: bytes, position: Self.nowhere, timestamp: self.now)
            if json["id"] == nil { event.id = UUID().uuidString.lowercased() }
            if json["source"] == nil { event.source = Self.source }
            return event
        } catch {
            let text = error.code == .missingUser ? "the event has no user: set data.user.id" : error.detail
            throw self.failure(text)
        }
    }

    private func type(_ text: String) throws(CommandFailure) -> EventType {
        let inbound = EventType.allCases.filter(\.isInbound).map(\.rawValue)
        guard let type = EventType(rawValue: text) else {
            throw self.failure(
                "type \"\(text)\" is none that clients send\(NearMiss.hint(text, among: inbound))"
            )
        }
        guard type.isInbound else {
            throw self.failure("type \"\(text)\" is written by intentd only (SPEC R14)")
        }
        return type
    }

    private func failure(_ message: String) -> CommandFailure { CommandFailure(.badData, message) }
}
