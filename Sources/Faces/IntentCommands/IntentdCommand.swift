internal import ArgumentParser
public import CoreMetrics
public import IntentKit
import IntentOperations
internal import SQLiteStore
public import Tracing

/// The program `intentd`, for packages that bring handlers of their own.
///
/// ```swift
/// @main
/// enum Gymd {
///     static func main() async {
///         await IntentdCommand.main(extensions: [.gym])
///     }
/// }
/// ```
public enum IntentdCommand {
    /// Runs the command that the process's arguments name, and ends the process.
    ///
    /// - Parameters:
    ///   - extensions: The program's own intents, beside those of files.
    ///   - presentation: Presenters of the program's intents.
    ///   - ledger: Opens the ledgers of addresses in the setting `ledger`, such as `.postgreSQL` of the module
    ///     `PostgreSQLLedger`; nil when there is only SQLite.
    ///   - metrics: The metrics backend; nil for `/metrics` in Prometheus' text format.
    ///   - tracer: Receives the spans of requests that are traced (`tracing.sample`); nil to send them to a collector.
    public static func main(
        extensions: [IntentExtension] = [],
        presentation: [IntentUIExtension] = [],
        ledger: LedgerSource? = nil,
        metrics: (any MetricsFactory)? = nil,
        tracer: (any Tracer)? = nil
    ) async -> Never {
        let handlers = HandlerSources(
            own: extensions,
            ownPresentation: presentation,
            ledger: ledger,
            metrics: metrics,
            tracer: tracer
        )
        await Self.main(handlers, demonstration: nil)
    }

    /// Runs the command that the process's arguments name, of a program that has the sample apps, and ends the process.
    package static func main(
        samples: [String: [IntentExtension]],
        samplePresentation: [IntentUIExtension],
        demonstration: Demonstration,
        ledger: LedgerSource?
    ) async -> Never {
        let handlers = HandlerSources(samples: samples, samplePresentation: samplePresentation, ledger: ledger)
        await Self.main(handlers, demonstration: demonstration)
    }

    private static func main(_ handlers: HandlerSources, demonstration: Demonstration?) async -> Never {
        StoreLibrary.configure()
        let status = await ProgramName.$current.withValue(ProgramName.ofProcess) {
            await HandlerSources.$current.withValue(handlers) {
                await Demonstration.$current.withValue(demonstration) {
                    await TestChild.$isPossible.withValue(true) {
                        await RootCommand.run(Array(CommandLine.arguments.dropFirst()))
                    }
                }
            }
        }
        ProcessEnd.now(status)
    }
}
