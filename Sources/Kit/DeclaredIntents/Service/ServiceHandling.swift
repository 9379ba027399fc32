import IntentKit

/// A service that resolves, confirms, handles and reports status over HTTP, with the calls that it supports (R61).
struct ServiceHandling: Hashable, Sendable {
    /// The endpoint: each call has a path below its address.
    var endpoint: HTTPEndpoint
    /// Whether it resolves parameters; if not, the definition does.
    var resolves = true
    /// Whether it confirms; if not, every intent is ready.
    var confirms = true
    /// Whether it returns the outcome of a post to `handle`: then it is asked before a post is repeated (R76).
    var looksUp = false
    /// Whether it is asked again for a required parameter after the user has declined what it offered (R72a).
    var offersOthers = false
    /// How often its status is asked for after a success; nil for never.
    var statusUpdates: StatusUpdates?
    /// Whether it undoes what it has done, and for how long after a success; nil when it does not.
    var undo: ServiceUndo?
    /// The codes that it reports, besides those of all declared intents.
    var codes: Set<String> = []

    /// SiriKit's codes that a service may declare; others begin with `failure`.
    static let knownCodes: Set<String> = ["continueInApp", "handleInApp", "userConfirmationRequired"]

    /// The calls that it supports, in the order in which they are made.
    var calls: [ServiceCall] {
        ServiceCall.allCases.filter { call in
            switch call {
            case .resolve: self.resolves
            case .confirm: self.confirms
            case .handle: true
            case .lookup: self.looksUp
            case .status: self.statusUpdates != nil
            case .undo: self.undo != nil
            }
        }
    }
}

/// How a service undoes what it has done (R61g).
struct ServiceUndo: Hashable, Sendable {
    /// For how long a user may ask for it after a success; nil to undo it only without one.
    var within: Duration?
}
