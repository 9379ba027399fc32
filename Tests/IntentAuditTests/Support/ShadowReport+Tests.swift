@testable import IntentAudit

extension ShadowReport {
    /// Whether each interaction is known to end as it did.
    var isSame: Bool { self.changes.isEmpty && self.unknowns.isEmpty }
}
