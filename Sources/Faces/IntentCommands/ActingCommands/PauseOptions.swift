import ArgumentParser
import IntentEvents
import IntentKit
import IntentOperations
import IntentRuntime

/// What is paused, and in which stages.
struct PauseOptions: ParsableArguments {
    @Argument(help: "The intent's name.", transform: IdentityArgument.read)
    var intent: String?

    @Option(
        help: ArgumentHelp("All intents of this extension.", valueName: "name"),
        transform: IdentityArgument.read
    )
    var app: String?

    @Option(
        parsing: .singleValue,
        help: "Only in this stage: resolve, confirm or handle; repeat it for several. (default: all stages)",
        transform: Self.stage
    )
    var stage: [Stage] = []

    static func stage(_ text: String) throws -> Stage {
        if let stage = Stage(rawValue: text) { return stage }
        let names = Stage.allCases.map(\.rawValue)
        throw ValidationError(
            "unknown stage '\(text)'\(NearMiss.hint(text, among: names)). The stages are "
                + names.joined(separator: ", ")
        )
    }

    func validate() throws {
        guard (self.intent == nil) != (self.app == nil) else {
            throw ValidationError("name an intent, or an app with --app")
        }
    }

    /// The stages that are meant.
    var stages: [Stage] { self.stage.isEmpty ? Stage.allCases : Stage.allCases.filter(self.stage.contains) }

    var target: Pause.Target { self.app.map { .app($0) } ?? .intent(self.intent ?? "") }

    /// Refuses what no handler serves, where the intents can be read.
    func check(_ configuration: Configuration) throws(OperationError) {
        guard let registry = (try? IntentSet(configuration))?.registry else { return }
        let name = self.app ?? self.intent ?? ""
        let names =
            self.app == nil
            ? registry.intentNames
            : Set(registry.intentNames.compactMap { registry[$0]?.extensionName }).sorted()
        guard !names.contains(name) else { return }
        throw OperationError(
            .usage,
            "Unknown \(self.app == nil ? "intent" : "app"): \(SafeText.line(name))\(NearMiss.hint(name, among: names)); "
                + "`intentd intents` lists the intents"
        )
    }
}
