import IntentCommands
import Vet

/// All of intentd's commands, serving the practice's intents.
@main
enum Vetd {
    static func main() async {
        await IntentdCommand.main(extensions: [.vet])
    }
}
