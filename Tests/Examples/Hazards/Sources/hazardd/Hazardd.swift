import IntentCommands
import IntentKit

/// All of intentd's commands, with hazards among the intents.
@main
enum Hazardd {
    static func main() async {
        await IntentdCommand.main(
            extensions: [.hazards],
            presentation: [
                IntentUIExtension(
                    "Hazards",
                    supportedIntents: [BookTripIntent.intentName],
                    presenter: HazardPresenter()
                )
            ]
        )
    }
}
