import IntentCommands
import IntentKit

extension DemoStory {
    /// BNRun's stories: the app does what it is asked, and the log records what it did.
    static let workouts = [startWorkout, secondStart, stopWorkout]

    private static let startWorkout = DemoStory(
        title: "An unknown workout: the user picks one of three, and the app starts it and reports back",
        user: "nerd",
        words: "Start my bench press with BNRun.",
        intent: IntentSnapshot(name: "INStartWorkoutIntent", parameters: ["workoutName": "bench press"]),
        replies: [Reply(words: "A run, then.", data: ["action": "accept", "choice": 1])],
        report: ["code": "success"]
    )

    private static let secondStart = DemoStory(
        title: "A workout is running: a second one is refused",
        user: "nerd",
        words: "Start a swim.",
        intent: IntentSnapshot(name: "INStartWorkoutIntent", parameters: ["workoutName": "swim"]),
        replies: []
    )

    private static let stopWorkout = DemoStory(
        title: "Stopping needs no prompts",
        user: "nerd",
        words: "Stop my run.",
        intent: IntentSnapshot(name: "INEndWorkoutIntent", parameters: ["workoutName": "run"]),
        replies: [],
        report: ["code": "success"]
    )
}
