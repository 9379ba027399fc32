public import IntentKit

/// A prompt to the user: `prompt.issued`.
public struct TestPrompt: Hashable, Sendable {
    /// The kind of prompt (contract, section 2).
    public enum Kind: String, Sendable, CaseIterable {
        case needsValue
        /// Asks which of some values is meant.
        case disambiguation
        /// Asks whether a value is meant.
        case confirmationRequired
        /// Asks for another value, since the given one cannot be used.
        case unsupported
        /// Asks whether to do the task.
        case intentConfirmation
        case unlockRequired
        case authenticationRequired
    }

    public var kind: Kind
    /// The parameter in question; nil for a prompt about the whole intent.
    public var parameter: String?
    /// The index of the value in a list; nil for no list, or for all of it.
    public var index: Int?
    /// The text for the user.
    public var dialog: String
    public var options: [JSONValue]
    /// The titles of the options, in order, as the user sees them.
    public var optionTitles: [String]
    /// The value in question; nil if there is none.
    public var item: JSONValue?
    /// The reason why the value is in question; nil if none is given.
    public var reason: JSONValue?
    /// The later stage that asks, `confirm` or `handle`, since it cannot use the value; nil for any other prompt.
    public var askedBy: String?
    /// Whether it is put once more, since a conversation for which it was set aside has ended (R78).
    public var isInFront: Bool
    /// What the user is shown before they say yes.
    public var details: JSONObject
    /// The intent's values as they are now.
    public var parameters: JSONObject
    /// The whole event's data.
    public var data: JSONValue

    init?(_ data: JSONValue) {
        guard let kind = data["kind"]?.string.flatMap(Kind.init(rawValue:)) else { return nil }
        self.kind = kind
        self.parameter = data["parameter"]?.string
        self.index = data["index"]?.integer.map(Int.init)
        self.dialog = data["dialog"]?.string ?? ""
        self.options = data["options"]?.array ?? []
        self.optionTitles = (data["optionDisplays"]?.array ?? []).map { $0["title"]?.string ?? "" }
        self.item = data["item"].flatMap { $0.isNull ? nil : $0 }
        self.reason = data["reason"].flatMap { $0.isNull ? nil : $0 }
        self.askedBy = data["askedBy"]?.string
        self.isInFront = data["front"]?.bool ?? false
        self.details = data["response"]?.object ?? [:]
        self.parameters = data["intent"]?["parameters"]?.object ?? [:]
        self.data = data
    }

    /// The prompt in a few words, such as `needsValue of time: "When?"`.
    var description: String {
        let about = self.parameter.map { " of \($0)" } ?? ""
        let options = self.options.isEmpty ? "" : " among \(JSONValue.array(self.options))"
        return "\(self.kind.rawValue)\(about)\(options): \"\(self.dialog)\""
    }
}
