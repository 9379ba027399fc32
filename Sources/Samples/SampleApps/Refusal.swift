import IntentKit

/// The reason why an app does not do what it was asked for.
struct Refusal<Code: IntentResponseCode>: Error {
    var code: Code
    /// The reason as a word for programs.
    var error: String
    /// The reason as a sentence for people.
    var description: String
    /// Further details.
    var details: JSONObject = [:]
}

extension IntentResponse {
    /// Creates the report of a refusal; the app gets the reason too (behaviour 66).
    init(_ refusal: Refusal<IntentType.Code>) {
        var details = refusal.details
        details["error"] = .string(refusal.error)
        details["errorDescription"] = .string(refusal.description)
        self.init(code: refusal.code, userActivity: UserActivity(userInfo: details), details: details)
    }
}
