import IntentCommands

/// The program `intentd`: with the intents that files declare and, where configured, the sample apps.
@main
enum Intentd {
    static func main() async {
        await IntentdCommand.main()
    }
}
