import IntentKit

/// What somebody asks before a set: what is my best deadlift.
struct BestSetIntent: Intent {
    enum Code: String, IntentResponseCode { case ready, success, failure, failureNothingLogged }

    /// What was trained.
    var exercise: String?

    static let parameters: [IntentParameter<Self>] = [.init("exercise", \.exercise)]
}
