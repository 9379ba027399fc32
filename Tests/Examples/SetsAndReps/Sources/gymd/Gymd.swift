#if !PostgreSQL
import IntentCommands
import SetsAndReps

/// All of intentd's commands, serving the gym's intents.
@main
enum Gymd {
    static func main() async {
        await IntentdCommand.main(extensions: [.gym])
    }
}
#endif
