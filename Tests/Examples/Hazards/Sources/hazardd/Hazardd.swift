import IntentCommands

/// All of intentd's commands, with a hazard among the intents.
@main
enum Hazardd {
    static func main() async {
        await IntentdCommand.main(extensions: [.hazards])
    }
}
