import ArgumentParser
import IntentEvents
import IntentKit
import IntentOperations
import IntentRuntime

/// The beginning or the end of a pause: what is meant, in which stages, who says so and why.
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

    @OptionGroup var `operator`: OperatorOptions
    @OptionGroup var output: JSONOption

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

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
        try self.operator.requireReason()
    }

    /// The stages that are meant.
    private var stages: [Stage] { self.stage.isEmpty ? Stage.allCases : Stage.allCases.filter(self.stage.contains) }

    private var target: Pause.Target { self.app.map { .app($0) } ?? .intent(self.intent ?? "") }

    /// Begins or ends the pause, and prints what was done.
    ///
    /// - Parameters:
    ///   - verb: What was done, such as `paused`.
    ///   - check: Refuses a target; the intents may be unreadable here and still be served elsewhere.
    ///   - act: Does it.
    /// - Throws: What these throw, and `OperationError` without access to the log.
    func run(
        _ verb: String,
        check: (Pause.Target, Configuration) throws -> Void = { _, _ in },
        _ act: (OperatorDesk, Pause.Target, [Stage]) async throws -> Void
    ) async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        try check(self.target, configuration)
        try await WorkProgress.during {
            try await LogAccess.find(configuration)
                .use { log in
                    let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
                    try await act(
                        OperatorDesk(deployment, log: log, by: self.operator.value),
                        self.target,
                        self.stages
                    )
                }
        }
        let stages = self.stages.map(\.rawValue)
        guard self.output.json else {
            StandardOutput.print(SafeText.line("\(self.target): \(verb) in \(stages.joined(separator: ", "))"))
            return
        }
        StandardOutput.print([
            "act": .string(verb), "stages": .array(stages.map(JSONValue.string)),
            "target": .string(self.target.description),
        ])
    }
}
