import IntentKit

/// Why an app does not do what it was asked for.
struct Refusal<Code: IntentResponseCode>: Error {
    /// The code.
    var code: Code
    /// Why, in a word for programs.
    var error: String
    /// Why, in a sentence for people.
    var description: String
    /// What else is known.
    var details: JSONObject = [:]
}

extension IntentResponse {
    /// Reports a refusal; the app gets to know the reason too (behaviour 66).
    init(_ refusal: Refusal<IntentType.Code>) {
        var details = refusal.details
        details["error"] = .string(refusal.error)
        details["errorDescription"] = .string(refusal.description)
        self.init(code: refusal.code, userActivity: UserActivity(userInfo: details), details: details)
    }
}
