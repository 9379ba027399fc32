internal import IntentKit

/// A user's answer to a prompt (R22).
struct Answer {
    enum Action: String {
        case accept
        case decline
        case cancel
    }

    var action: Action
    var value: JSONValue?
    var choice: Int?
    var corrections: JSONObject
    /// The user's time zone from now on; nil if it does not change (R73).
    var timeZone: String?

    /// Whether it is a yes and nothing else.
    var isBare: Bool { self.action == .accept && self.value == nil && self.choice == nil }

    /// Whether it only corrects other parameters than the one that was asked for.
    func onlyCorrectsOthers(than parameter: String?) -> Bool {
        self.isBare && !self.corrections.isEmpty && parameter.flatMap { self.corrections[$0] } == nil
    }

    /// The names of its members that have no effect at that prompt (R79a).
    func ignoredMembers(at prompt: Prompt) -> [String] {
        let isAccepted = self.action == .accept
        var names: [String] = []
        if self.value != nil, !isAccepted { names.append("value") }
        if self.choice != nil, !isAccepted || prompt.options.isEmpty { names.append("choice") }
        if !self.corrections.isEmpty, self.action == .cancel { names.append("corrections") }
        return names
    }
}
