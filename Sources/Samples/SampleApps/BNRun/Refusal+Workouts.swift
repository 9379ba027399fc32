import IntentKit

extension Refusal {
    /// The user has to finish setting the app up.
    static func setUp(_ code: Code) -> Self {
        Self(code: code, error: "needsSetUp", description: "Open BNRun to finish setting it up.")
    }
}
