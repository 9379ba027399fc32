import IntentKit

/// What somebody says after a set: five reps of bench press with 80 kilos.
struct LogSetIntent: Intent {
    enum Code: String, IntentResponseCode { case ready, success, failure }

    /// What was trained.
    var exercise: String?
    /// How many times it was lifted.
    var reps: Int?
    /// How much, in kilograms; for what was lifted last time if nothing is said.
    var weight: Double?

    static let parameters: [IntentParameter<Self>] = [
        .init("exercise", \.exercise),
        .init("reps", \.reps),
        .init("weight", \.weight, dependsOn: ["exercise"]),
    ]
}
