import CoreMetrics
import IntentDomains
import IntentKit

/// Where the program's handlers come from, besides files.
struct HandlerSources: Sendable {
    /// Those of the package that made the program.
    var own: [IntentExtension] = []
    /// The presenters of the package that made the program.
    var ownPresentation: [IntentUIExtension] = []
    /// Whether intentd's own are there too.
    var includesBuiltIn = true

    /// Where the program's package wants metrics to go; nil for `/metrics`.
    var metrics: (any MetricsFactory)?

    /// The sources of the program that runs.
    @TaskLocal static var current = HandlerSources()

    /// intentd's own extensions.
    var builtIn: [IntentExtension] {
        guard self.includesBuiltIn else { return [] }
        return [
            MessagesExtension.make(), CallsExtension.make(), PaymentsExtension.make(), WorkoutsExtension.make(),
            RidesExtension.make(),
        ]
    }

    /// intentd's own presenters.
    var builtInPresentation: [IntentUIExtension] {
        self.includesBuiltIn ? [MessagesUIExtension.make(), RidesUIExtension.make()] : []
    }
}
