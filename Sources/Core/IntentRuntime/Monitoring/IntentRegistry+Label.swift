internal import IntentKit

extension IntentRegistry {
    /// An intent's name as a label of metrics and spans: only registered names; others are the clients' own.
    func label(_ intent: String?) -> String? { intent.map { self[$0] == nil ? "unsupported" : $0 } }
}
