import IntentCommands
import IntentKit
import SampleApps

extension Demonstration {
    static let sampleApps = Demonstration(
        casts: [
            // All apps but one.
            DemoCast(stories: DemoStory.all, tables: DemoTable.all),
            // The Hairdressers, which send messages as UnicornChat does.
            DemoCast(
                name: "hairdressers",
                messagesApp: SampleMessagesApp.hairdressers.rawValue,
                stories: DemoStory.hairdressers,
                tables: [.hairdresserMessages]
            ),
        ],
        definitions: [TableIntent.definition],
        // As among the sample apps, but the ride takes no long waiting.
        apps: [RidesExtension.make(statusUpdates: StatusUpdates(every: .milliseconds(250)))]
    )
}
