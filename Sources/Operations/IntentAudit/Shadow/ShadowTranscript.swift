internal import IntentEvents
internal import IntentKit

/// What clients read of an interaction, in order: this is compared between then and now (R44).
struct ShadowTranscript: Hashable, Sendable {
    /// A record that clients read.
    struct Record: Hashable, Sendable {
        /// What it is about, such as `needsValue:time`: records of one name are compared with each other, in order.
        var name: String
        var type: EventType
        var content: Content

        /// Whether it is a question.
        var isPrompt: Bool { self.type == .promptIssued }
    }

    enum Content: Hashable, Sendable {
        case data(JSONValue)
        /// A hash of what is compared, for an interaction with more data than are kept.
        case digest(Int)
    }

    /// The bytes of one interaction whose values are kept.
    private static let limit = 1 << 20

    private(set) var records: [Record] = []
    /// How it ends, or how far it has got.
    var ending = ShadowEnding()
    private var bytes = 0

    /// The names of the questions, in order.
    var prompts: [String] { self.records.filter(\.isPrompt).map(\.name) }

    /// Adds a record, unless it is of a type that says nothing about an interaction.
    ///
    /// - Parameters:
    ///   - type: The record's type; nil for one that this version does not know.
    ///   - data: Its data.
    ///   - bytes: Its size.
    mutating func record(_ type: EventType?, _ data: JSONValue, bytes: Int) {
        self.ending.record(type, data)
        guard let type, let name = Self.name(type, data) else { return }
        self.bytes += bytes
        let isKept = self.bytes <= Self.limit
        self.records.append(
            Record(name: name, type: type, content: isKept ? .data(data) : .digest(Self.digest(data, of: type)))
        )
    }

    private static func name(_ type: EventType, _ data: JSONValue) -> String? {
        switch type {
        case .promptIssued:
            // It repeats an earlier one, because another interaction has ended.
            guard data["front"] != true else { return nil }
            let kind = data["kind"]?.string ?? "?"
            let index = data["index"]?.integer.map { "[\($0)]" } ?? ""
            return kind + (data["parameter"]?.string.map { ":\($0)\(index)" } ?? "")
        case .intentResponded:
            // How far a handler is, and when it is tried again, depends on time alone.
            guard data["progress"] == nil, data["retryUntil"] == nil else { return nil }
            return data["terminal"] == true ? "response" : "report"
        // What happens to a follow-up is no part of the conversation that has started it.
        case .statusUpdated: return data["started"] == nil ? "status" : nil
        case .userNotified:
            return data["at"] == nil ? "notification" + (data["name"]?.string.map { ":\($0)" } ?? "") : nil
        case .userActivityCreated: return "activity"
        default: return nil
        }
    }

    /// Whether a member is compared: not if it differs by nature, or repeats what the response says.
    static func isCompared(_ member: String, of type: EventType) -> Bool {
        switch member {
        case "promptId", "expiresAt", "undo", "user": false
        case "interaction": type != .userActivityCreated
        default: true
        }
    }

    static func digest(_ data: JSONValue, of type: EventType) -> Int {
        (data.object ?? [:]).filter { Self.isCompared($0.key, of: type) }.hashValue
    }
}
