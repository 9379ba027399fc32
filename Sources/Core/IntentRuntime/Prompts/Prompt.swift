package import IntentEvents
package import IntentKit
internal import LibCrypto

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
    /// The options' words for this request, in the same order; nil where the declared ones count, and empty where they
    /// count for all.
    package private(set) var displays: [DisplayRepresentation?]
    /// The value in question.
    package var item: JSONValue?
    /// Its words for this request; nil where the declared ones count.
    package var itemDisplay: DisplayRepresentation?
    package var reason: ReasonDescription?
    /// The handler's own words; nil for the usual words.
    package var dialog: String?
    package var expiresAt: Timestamp
    /// When it was issued; nil for one of an earlier version.
    package var issuedAt: Timestamp?
    /// How often its time was extended, because its interaction was set aside or came back (R78).
    package var extensions = 0

    /// The prompt's id: it names the stage that asked (R12).
    package func id(interaction: InteractionID, stage: Stage) -> PromptID {
        PromptID(interaction: interaction, stage: stage, number: self.number)
    }

    /// The options with their words for this request.
    var offered: [ParameterOption] {
        self.displays.isEmpty
            ? self.options.map { ParameterOption($0) }
            : zip(self.options, self.displays).map { ParameterOption($0, display: $1) }
    }

    /// The value in question with its words for this request.
    var offeredItem: ParameterOption? { self.item.map { ParameterOption($0, display: self.itemDisplay) } }

    /// The subject of a prompt: a parameter, a value of a list, or (empty) the confirmation of the intent.
    package static func subject(_ parameter: String?, _ index: Int?) -> String {
        (parameter ?? "") + (index.map { "/\($0)" } ?? "")
    }

    /// The name of a question: attempts count for one question (R24).
    ///
    /// `needsValue` and `unsupported` of a subject are one question, whatever value is refused. `disambiguation` is one
    /// for each set of options, `confirmationRequired` one for each value; their names are the subject, `#` and digits.
    static func question(
        _ kind: PromptKind,
        _ parameter: String?,
        _ index: Int?,
        options: [JSONValue],
        item: JSONValue?
    ) -> String {
        let subject = Self.subject(parameter, index)
        let about: [JSONValue]
        switch kind {
        case .disambiguation: about = options
        case .confirmationRequired: about = [item ?? .null]
        case .needsValue, .unsupported, .intentConfirmation, .unlockRequired, .authenticationRequired: return subject
        }
        let texts = about.map(\.description).sorted().joined(separator: "\n")
        return subject + "#" + SHA256.digest(Array(texts.utf8)).hex(4)
    }

    /// The attempt's name on the wire: `Initial`, `Retry1`, `Retry2` and so on.
    package var attemptName: String { self.attempt == 0 ? "Initial" : "Retry\(self.attempt)" }

    /// Writes the form in state.
    package func write(to text: inout JSONText) {
        text.beginObject()
        text.member("attempt", Int64(self.attempt))
        text.member("dialog", self.dialog)
        if !self.displays.isEmpty {
            text.member("displays", value: .array(self.displays.map { $0?.json ?? .null }))
        }
        text.member("expiresAt", self.expiresAt.milliseconds)
        if self.extensions > 0 { text.member("extensions", Int64(self.extensions)) }
        text.member("index", self.index.map(Int64.init))
        text.member("issuedAt", self.issuedAt?.milliseconds)
        text.member("item", value: self.item)
        text.member("itemDisplay", value: self.itemDisplay?.json)
        text.member("kind", self.kind.rawValue)
        text.member("number", Int64(self.number))
        if !self.options.isEmpty { text.member("options", value: .array(self.options)) }
        text.member("parameter", self.parameter)
        text.member("reason", value: self.reason?.stored)
        text.endObject()
    }

    package init(
        number: Int,
        kind: PromptKind,
        parameter: String? = nil,
        index: Int? = nil,
        attempt: Int = 0,
        options: [JSONValue] = [],
        displays: [DisplayRepresentation?] = [],
        item: JSONValue? = nil,
        itemDisplay: DisplayRepresentation? = nil,
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
        self.displays = displays.count == options.count && displays.contains { $0 != nil } ? displays : []
        self.item = item
        self.itemDisplay = itemDisplay
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
            displays: (json["displays"]?.value.array ?? []).map(DisplayRepresentation.init(json:)),
            item: json["item"]?.value,
            itemDisplay: (json["itemDisplay"]?.value).flatMap(DisplayRepresentation.init(json:)),
            reason: (json["reason"]?.value).flatMap(ReasonDescription.init(json:)),
            dialog: json["dialog"]?.string,
            expiresAt: Timestamp(milliseconds: expiresAt)
        )
        self.issuedAt = json["issuedAt"]?.integer.map(Timestamp.init(milliseconds:))
        self.extensions = json["extensions"]?.count ?? 0
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
