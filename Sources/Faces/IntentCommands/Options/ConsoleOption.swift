import ArgumentParser
import IntentOperations

/// The options of commands that serve the console.
struct ConsoleOption: ParsableArguments {
    @Flag(help: "Allow conversations and redrives from the browser.")
    var allowWrites = false

    @Option(
        help: ArgumentHelp(
            "URL of a trace in a tracing tool, with {trace} for the trace id. (default: console.traceUrl)",
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
