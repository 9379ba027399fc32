import IntentKit

/// A service that resolves, confirms, handles and reports status over HTTP, and which of that it does (R61).
struct ServiceHandling: Hashable, Sendable {
    /// Where it is asked: each call lies below the address.
    var endpoint: HTTPEndpoint
    /// Whether it resolves parameters; if not, the definition does.
    var resolves = true
    /// Whether it confirms; if not, every intent is ready.
    var confirms = true
    /// How often it is asked how things stand after a success; nil for never.
    var statusUpdates: StatusUpdates?
    /// The codes with which it reports, besides those of all declared intents.
    var codes: Set<String> = []

    /// Codes of SiriKit's that a service may declare; others begin with `failure`.
    static let knownCodes: Set<String> = ["continueInApp", "handleInApp", "userConfirmationRequired"]

    /// The calls that it takes, in the order in which they are made.
    var calls: [ServiceCall] {
        ServiceCall.allCases.filter { call in
            switch call {
            case .resolve: self.resolves
            case .confirm: self.confirms
            case .handle: true
            case .status: self.statusUpdates != nil
            }
        }
    }
}
