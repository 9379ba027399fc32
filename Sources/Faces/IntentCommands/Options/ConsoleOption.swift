import ArgumentParser
import IntentOperations

/// The options of commands that serve the console.
struct ConsoleOption: ParsableArguments {
    @Flag(help: "Allow conversations, and dead letters to be sent again, from the browser.")
    var allowWrites = false

    @Option(
        help: ArgumentHelp(
            "Where a tracing tool shows a trace, with {trace} for its id. (default: console.traceUrl)",
            valueName: "url"
        ),
        transform: Self.traceLink
    )
    var traceUrl: SettingValue?

    var settings: [(setting: Setting, option: String, value: SettingValue)] {
        self.traceUrl.map { [(.consoleTraceUrl, "--trace-url", $0)] } ?? []
    }

    private static func traceLink(_ text: String) throws -> SettingValue {
        let type = Setting.consoleTraceUrl.type
        guard let link = type.read(text) else { throw ValidationError("--trace-url must be \(type.expectation)") }
        return link
    }
}
