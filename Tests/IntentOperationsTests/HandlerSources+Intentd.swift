import IntentKit
import SampleApps

@testable import IntentOperations

extension HandlerSources {
    /// What the program `intentd` is built with.
    static let intentd = HandlerSources(
        samples: SampleMessagesApp.allSampleApps,
        samplePresentation: IntentUIExtension.sampleApps()
    )
}
