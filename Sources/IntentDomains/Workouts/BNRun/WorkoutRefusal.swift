import IntentKit

/// Why BNRun does not do what it was asked for.
struct WorkoutRefusal<Code: IntentResponseCode>: Error {
    /// The code.
    var code: Code
    /// Why, in a word for programs.
    var error: String
    /// Why, in a sentence for people.
    var description: String
    /// What else is known.
    var details: [String: JSONValue] = [:]

    /// The user has to finish setting the app up.
    static func setUp(_ code: Code) -> Self {
        Self(code: code, error: "needsSetUp", description: "Open BNRun to finish setting it up.")
    }
}

extension IntentResponse {
    /// Reports a refusal; the app gets to know the reason too (seed behaviour 66).
    init(_ refusal: WorkoutRefusal<IntentType.Code>) {
        var details = refusal.details
        details["error"] = .string(refusal.error)
        details["errorDescription"] = .string(refusal.description)
        self.init(code: refusal.code, userActivity: UserActivity(userInfo: details), details: details)
    }
}
