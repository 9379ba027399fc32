import IntentKit

/// What somebody says after a set: five reps of bench press with 80 kilos.
struct LogSetIntent: Intent {
    /// What was trained.
    @Parameter(title: "Exercise", prompt: "Which exercise?") var exercise: String?
    /// How many times it was lifted.
    @Parameter(prompt: "How many times?", isRequired: true, in: 1...100) var reps: Int?
    /// How much, in kilograms; for what was lifted last time if nothing is said.
    @Parameter(prompt: "How many kilos?", in: 0..., dependsOn: [\Self.$exercise]) var weight: Double?
}
