import CoreMetrics
import IntentKit

/// The handlers of the package that made the program: what it serves besides files and, where configured, sample apps.
struct HandlerSources: Sendable {
    /// Its extensions.
    var own: [IntentExtension] = []
    /// Its presenters.
    var ownPresentation: [IntentUIExtension] = []

    /// Where it wants metrics to go; nil for `/metrics`.
    var metrics: (any MetricsFactory)?

    /// The sources of the program that runs.
    @TaskLocal static var current = HandlerSources()
}
