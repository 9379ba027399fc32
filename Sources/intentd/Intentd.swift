import IntentCommands

/// The program `intentd` with the built-in handlers.
@main
enum Intentd {
    static func main() async {
        await IntentdCommand.main()
    }
}
