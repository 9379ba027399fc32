internal import IntentEvents
package import IntentKit

/// A type that state entries are parsed as.
package protocol StateForm: JSONReadable, Hashable, Sendable {
    /// The entry's canonical text.
    var utf8: [UInt8] { get }
    /// Whether the parsed form is kept beside its text: it will be used again, and parsing the text yields the same
    /// value.
    ///
    /// A turn that is run again parses the journal's text of the entry, and must find what the original turn found.
    var isKept: Bool { get }
}

extension Interaction: StateForm {
    /// Whether parsing its text yields the same value.
    package var isKept: Bool {
        self.intent.parameters.isReadAsWritten && self.refused.isReadAsWritten
            && self.understood.values.allSatisfy { $0.allSatisfy { $0.meaning.value.isReadAsWritten() } }
            && self.ambiguous.values.allSatisfy { $0.values.joined().allSatisfy { $0.value.isReadAsWritten() } }
            && self.confirmed.values.allSatisfy { !$0.isEmpty && $0.values.allSatisfy { $0.isReadAsWritten() } }
            && (self.prompt?.options.allSatisfy { $0.isReadAsWritten() } ?? true)
            && (self.prompt?.item?.isReadAsWritten() ?? true) && (self.shown?.isReadAsWritten() ?? true)
            && (self.waiting?.steps.allSatisfy { $0.value.isReadAsWritten() } ?? true) && self.keepsQuestions
            && self.undoing == nil
    }

    /// The same for the questions of later stages and for what was declined.
    private var keepsQuestions: Bool {
        let asked = self.asked.values.flatMap { $0.options.map(\.value) + [$0.item?.value].compactMap(\.self) }
        return asked.allSatisfy { $0.isReadAsWritten() }
            && self.declined.values.allSatisfy { $0.json.isReadAsWritten() }
    }
}

extension KnownInteraction: StateForm {
    /// Whether it is open here: there are thousands of closed ones, and hardly any is read again.
    package var isKept: Bool { self.whereabouts == .here }
}

extension FollowedInteraction: StateForm {
    package var utf8: [UInt8] { self.json.utf8 }
    /// Whether parsing its text yields the same value.
    package var isKept: Bool { self.interaction.isKept && self.reported.isReadAsWritten }
}

extension ScheduledFollowUp: StateForm {
    package var utf8: [UInt8] { JSONValue.object(self.json).utf8 }
    /// Whether parsing its text yields the same value.
    package var isKept: Bool {
        switch self.content {
        case .intent(let intent): intent.parameters.isReadAsWritten
        case .notification(let details): details.isReadAsWritten
        }
    }
}

extension ParkedTurn: StateForm {
    package var utf8: [UInt8] { self.json.utf8 }
    /// Whether parsing its text yields the same value: a header's name that is not UTF-8 is replaced there.
    package var isKept: Bool {
        let content = self.event.content
        return RecordContent(key: content.key, value: content.value, headers: content.headers) == content
            && self.steps.allSatisfy { $0.value.isReadAsWritten() }
    }
}

extension JSONObject {
    /// Whether parsing the text of each member yields the same value.
    fileprivate var isReadAsWritten: Bool { self.allSatisfy { $0.value.isReadAsWritten() } }
}

extension JSONValue {
    /// Whether parsing its text yields the same value: JSON has no infinities, and deeply nested values are not read.
    fileprivate func isReadAsWritten(depth: Int = 16) -> Bool {
        switch self {
        case .null, .bool, .integer, .string: true
        case .number(let value): value.isFinite
        case .array(let elements): depth > 0 && elements.allSatisfy { $0.isReadAsWritten(depth: depth - 1) }
        case .object(let members): depth > 0 && members.allSatisfy { $0.value.isReadAsWritten(depth: depth - 1) }
        }
    }
}
