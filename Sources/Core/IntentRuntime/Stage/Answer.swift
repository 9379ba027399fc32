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

    /// Whether it is a yes and nothing else.
    var isBare: Bool { self.action == .accept && self.value == nil && self.choice == nil }
}
