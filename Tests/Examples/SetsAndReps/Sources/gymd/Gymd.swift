import IntentCommands
import SetsAndReps

/// All of intentd's commands, with the gym's intents beside the built-in ones.
@main
enum Gymd {
    static func main() async {
        await IntentdCommand.main(extensions: [.gym])
    }
}
