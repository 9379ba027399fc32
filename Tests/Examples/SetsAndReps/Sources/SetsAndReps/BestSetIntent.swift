import IntentKit

/// What somebody asks before a set: what is my best deadlift.
struct BestSetIntent: Intent {
    enum Code: String, IntentResponseCode { case ready, success, failure, failureNothingLogged }

    /// What was trained.
    @Parameter(title: "Exercise", prompt: "Which exercise?") var exercise: String?
}
