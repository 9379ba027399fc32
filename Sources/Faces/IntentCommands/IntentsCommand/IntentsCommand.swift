import ArgumentParser
import IntentKit
import IntentOperations

/// `intentd intents`: what users can ask for.
struct IntentsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "intents",
        abstract: "List the intents that this program and configuration support, or show one.",
        discussion: """
            FROM is the extension that has the handler, or the file and line that declare the intent. CONFIRMED shows \
            whether the user confirms the intent before it is handled, LOCKED whether it waits while the device is locked.
            """
    )

    @Argument(help: "The intent to show in detail, such as BookRestaurantTable. (default: a list of all intents)")
    var name: String?

    @OptionGroup var output: JSONOption

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let intents = try IntentSet(try self.common.load())
        if let name {
            let listing = try IntentListing.find(name, in: intents)
            if self.output.json { return StandardOutput.print(listing.json) }
            return StandardOutput.write(listing.lines.joined(separator: "\n") + "\n")
        }
        let listings = intents.registry.intentNames.compactMap { IntentListing($0, of: intents) }
        if self.output.json {
            for listing in listings { StandardOutput.print(listing.json) }
            return
        }
        var table = Table(IntentListing.headings)
        for listing in listings { table.add(listing.row) }
        table.show()
    }
}
