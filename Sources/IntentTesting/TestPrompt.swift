public import IntentKit

/// A question that the user was asked: `prompt.issued`.
public struct TestPrompt: Hashable, Sendable {
    /// What it asks (contract, section 2).
    public enum Kind: String, Sendable, CaseIterable {
        /// For a value.
        case needsValue
        /// Which of some values is meant.
        case disambiguation
        /// Whether a value is meant.
        case confirmationRequired
        /// For another value, since the one that was given cannot be used.
        case unsupported
        /// Whether it shall be done.
        case intentConfirmation
        /// For the device to be unlocked.
        case unlockRequired
        /// For the user to sign in.
        case authenticationRequired
    }

    /// What it asks.
    public var kind: Kind
    /// The parameter in question; nil where it is about the whole.
    public var parameter: String?
    /// Which value of a list; nil where it is no list, or about all of it.
    public var index: Int?
    /// What the user is told.
    public var dialog: String
    /// What may be chosen.
    public var options: [JSONValue]
    /// The value in question; nil where there is none.
    public var item: JSONValue?
    /// Why the value is in question; nil where nobody says.
    public var reason: JSONValue?
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
        self.item = data["item"].flatMap { $0.isNull ? nil : $0 }
        self.reason = data["reason"].flatMap { $0.isNull ? nil : $0 }
        self.details = data["response"]?.object ?? [:]
        self.parameters = data["intent"]?["parameters"]?.object ?? [:]
        self.data = data
    }

    /// The prompt in a few words, such as `needsValue of time: "When?"`.
    var words: String {
        let about = self.parameter.map { " of \($0)" } ?? ""
        let options = self.options.isEmpty ? "" : " among \(JSONValue.array(self.options))"
        return "\(self.kind.rawValue)\(about)\(options): \"\(self.dialog)\""
    }
}
