import IntentCommands

/// The program `intentd`: what files declare and, where configured, the sample apps.
@main
enum Intentd {
    static func main() async {
        await IntentdCommand.main()
    }
}
