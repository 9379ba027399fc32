internal import IntentEvents
package import IntentKit

/// What state entries are read as.
package protocol StateForm: JSONReadable, Hashable, Sendable {
    /// The entry's canonical text.
    var utf8: [UInt8] { get }
    /// Whether it stays as it is beside its text: it is used again, and reading the text comes to the same.
    ///
    /// A turn that is run again reads what the journal has of the entry, and must find what the turn found.
    var isKept: Bool { get }
}

extension Interaction: StateForm {
    /// Whether reading its text comes to the same.
    package var isKept: Bool {
        self.intent.parameters.isReadAsWritten && self.refused.isReadAsWritten
            && self.confirmed.values.allSatisfy { !$0.isEmpty && $0.values.allSatisfy { $0.isReadAsWritten() } }
            && (self.prompt?.options.allSatisfy { $0.isReadAsWritten() } ?? true)
            && (self.prompt?.item?.isReadAsWritten() ?? true) && (self.shown?.isReadAsWritten() ?? true)
    }
}

extension KnownInteraction: StateForm {
    /// Whether it is open here: of those that are not, there are thousands, and hardly any is asked for again.
    package var isKept: Bool { self.whereabouts == .here }
}

extension FollowedInteraction: StateForm {
    /// Its canonical text.
    package var utf8: [UInt8] { self.json.utf8 }
    /// Whether reading its text comes to the same.
    package var isKept: Bool { self.interaction.isKept && self.told.isReadAsWritten }
}

extension ParkedTurn: StateForm {
    /// Its canonical text.
    package var utf8: [UInt8] { self.json.utf8 }
    /// Whether reading its text comes to the same: a header's name that is not UTF-8 is mended there.
    package var isKept: Bool {
        let content = self.event.content
        return RecordContent(key: content.key, value: content.value, headers: content.headers) == content
    }
}

extension JSONObject {
    /// Whether reading the text of each member comes to the same value.
    fileprivate var isReadAsWritten: Bool { self.allSatisfy { $0.value.isReadAsWritten() } }
}

extension JSONValue {
    /// Whether reading its text comes to the same value: JSON has no infinities, and what is nested deeply is not read.
    fileprivate func isReadAsWritten(depth: Int = 16) -> Bool {
        switch self {
        case .null, .bool, .integer, .string: true
        case .number(let value): value.isFinite
        case .array(let elements): depth > 0 && elements.allSatisfy { $0.isReadAsWritten(depth: depth - 1) }
        case .object(let members): depth > 0 && members.allSatisfy { $0.value.isReadAsWritten(depth: depth - 1) }
        }
    }
}
