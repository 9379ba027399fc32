internal import ArgumentParser
public import CoreMetrics
public import IntentKit
internal import IntentStore

/// The program `intentd`, for packages that bring handlers of their own.
///
/// ```swift
/// @main
/// enum MyIntentd {
///     static func main() async {
///         await IntentdCommand.main(extensions: [myExtension])
///     }
/// }
/// ```
public enum IntentdCommand {
    /// Runs the command that the process's arguments name, and ends the process.
    ///
    /// - Parameters:
    ///   - extensions: Handlers that stand beside the built-in ones, and in place of those for the same intents.
    ///   - presentation: Presenters beside the built-in ones.
    ///   - includingBuiltIn: Whether the built-in extensions are there too.
    ///   - metrics: Where metrics go; nil for `/metrics` in Prometheus' text format.
    public static func main(
        extensions: [IntentExtension] = [],
        presentation: [IntentUIExtension] = [],
        includingBuiltIn: Bool = true,
        metrics: (any MetricsFactory)? = nil
    ) async -> Never {
        StoreLibrary.configure()
        let handlers = HandlerSources(
            own: extensions,
            ownPresentation: presentation,
            includesBuiltIn: includingBuiltIn,
            metrics: metrics
        )
        let status = await HandlerSources.$current.withValue(handlers) {
            await RootCommand.run(Array(CommandLine.arguments.dropFirst()))
        }
        RootCommand.exit(withError: ExitCode(status))
    }
}
