internal import IntentEvents
internal import IntentKit
import Synchronization

/// Remembers that a turn has met a ledger entry of another request that had its own request's position (R30).
///
/// A handler may catch the error, so its lane checks here before it commits anything.
final class ForeignEntries: Sendable {
    private let met = Mutex<ForeignRequestError?>(nil)

    func record(_ error: ForeignRequestError) { self.met.withLock { $0 = $0 ?? error } }

    /// Throws when there was an error.
    /// - Throws: ``LogError``, `topicsChanged`.
    func check(_ ledger: (any EffectLedger)?, prefix: String) throws(LogError) {
        guard let error = self.met.withLock({ $0 }) else { return }
        throw LogError.ledgerAhead(
            ledger,
            "holds effects of another request that was at \(error.request) (partition:offset) of "
                + "\(Topic.requests.name(prefix: prefix)) before"
        )
    }
}

extension LogError {
    /// The topics are of an earlier time than the ledger.
    ///
    /// - Parameters:
    ///   - ledger: The ledger.
    ///   - finding: The evidence, phrased as what the store does.
    ///   - isRetriable: Whether the evidence is the answer of a broker that may not know yet that another one leads.
    /// - Returns: The error, with what would be right.
    static func ledgerAhead(_ ledger: (any EffectLedger)?, _ finding: String, isRetriable: Bool = false) -> LogError {
        LogError(
            .topicsChanged,
            "the store (id \(ledger?.identifier ?? "unknown")) \(finding): the topics were restored to an earlier time "
                + "than the store, or have lost their last records, and requests would get the results of other requests "
                + "(R31). Restore the topics, or replace the store by one of the same time or earlier.",
            isRetriable: isRetriable
        )
    }
}
