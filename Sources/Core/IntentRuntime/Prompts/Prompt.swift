package import IntentEvents
package import IntentKit

/// An open question to the user.
package struct Prompt: Hashable, Sendable, JSONWritable, JSONReadable {
    /// Its number among the interaction's prompts, from 1.
    package var number: Int
    package var kind: PromptKind
    /// The parameter that it is about, if any.
    package var parameter: String?
    /// The index of the value in a list.
    package var index: Int?
    /// The number of answers that have failed to settle it.
    package var attempt: Int
    package var options: [JSONValue]
    /// The value in question.
    package var item: JSONValue?
    package var reason: ReasonDescription?
    /// The handler's own words; nil for the usual words.
    package var dialog: String?
    package var expiresAt: Timestamp

    /// The prompt's id: it names the stage that asked (R12).
    package func id(interaction: InteractionID, stage: Stage) -> PromptID {
        PromptID(interaction: interaction, stage: stage, number: self.number)
    }

    /// The subject of a prompt: a parameter, a value of a list, or (empty) the confirmation of the intent.
    package static func subject(_ parameter: String?, _ index: Int?) -> String {
        (parameter ?? "") + (index.map { "/\($0)" } ?? "")
    }

    /// The attempt's name on the wire: `Initial`, `Retry1`, `Retry2` and so on.
    package var attemptName: String { self.attempt == 0 ? "Initial" : "Retry\(self.attempt)" }

    /// Writes the form in state.
    package func write(to text: inout JSONText) {
        text.beginObject()
        text.member("attempt", Int64(self.attempt))
        text.member("dialog", self.dialog)
        text.member("expiresAt", self.expiresAt.milliseconds)
        text.member("index", self.index.map(Int64.init))
        text.member("item", value: self.item)
        text.member("kind", self.kind.rawValue)
        text.member("number", Int64(self.number))
        if !self.options.isEmpty { text.member("options", value: .array(self.options)) }
        text.member("parameter", self.parameter)
        text.member("reason", value: self.reason?.json)
        text.endObject()
    }

    package init(
        number: Int,
        kind: PromptKind,
        parameter: String? = nil,
        index: Int? = nil,
        attempt: Int = 0,
        options: [JSONValue] = [],
        item: JSONValue? = nil,
        reason: ReasonDescription? = nil,
        dialog: String? = nil,
        expiresAt: Timestamp
    ) {
        self.number = number
        self.kind = kind
        self.parameter = parameter
        self.index = index
        self.attempt = attempt
        self.options = options
        self.item = item
        self.reason = reason
        self.dialog = dialog
        self.expiresAt = expiresAt
    }

    package init?(_ json: JSONView) {
        guard let number = json["number"]?.count, number > 0,
            let kind = json["kind"]?.string.flatMap(PromptKind.init(rawValue:)),
            let attempt = json["attempt"]?.count,
            let expiresAt = json["expiresAt"]?.integer
        else { return nil }
        self.init(
            number: number,
            kind: kind,
            parameter: json["parameter"]?.string,
            index: json["index"]?.count,
            attempt: attempt,
            options: json["options"]?.value.array ?? [],
            item: json["item"]?.value,
            reason: (json["reason"]?.value).flatMap(ReasonDescription.init(json:)),
            dialog: json["dialog"]?.string,
            expiresAt: Timestamp(milliseconds: expiresAt)
        )
    }
}

/// The kind of a prompt (contract, section 2).
package enum PromptKind: String, Sendable, CaseIterable {
    case needsValue
    /// Asks which of several values is meant.
    case disambiguation
    /// Asks whether this value is meant.
    case confirmationRequired
    /// Asks for another value, since this one is refused.
    case unsupported
    case intentConfirmation
    case unlockRequired
    case authenticationRequired

    /// Whether an event from elsewhere, not an answer, lets the interaction continue.
    package var waitsForEvent: Bool { self == .unlockRequired || self == .authenticationRequired }
}
