/// Draws a family of intents (R38): SiriKit's Intents UI extension.
///
/// A presenter sees the interaction and nothing else, and answers at once: the same interaction always looks the same.
public protocol IntentPresenter: Sendable {
    /// Draws the interaction as it is now.
    ///
    /// - Returns: The view; nil, or one of size zero, lets the client show the response in its own way.
    func view(of interaction: PresentedInteraction, in presentation: Presentation) -> PresentedView?
}

/// An interaction as a presenter sees it.
public struct PresentedInteraction: Sendable {
    public var identifier: String
    public var userID: String
    /// The user's language, as a BCP 47 tag.
    public var locale: String
    /// The intent with its values as they are now.
    public var intent: IntentSnapshot
    /// The response's code; nil where the intent has none for the case.
    public var code: String?
    /// The response's details.
    public var response: JSONObject
    /// How far it has come: distinguishes a draft from what was sent (behaviour 69).
    public var handlingStatus: INIntentHandlingStatus

    public init(
        identifier: String,
        userID: String,
        locale: String,
        intent: IntentSnapshot,
        code: String?,
        response: JSONObject,
        handlingStatus: INIntentHandlingStatus
    ) {
        self.identifier = identifier
        self.userID = userID
        self.locale = locale
        self.intent = intent
        self.code = code
        self.response = response
        self.handlingStatus = handlingStatus
    }

    /// The intent with its Swift type; values of another type are left out.
    public func intent<IntentType: Intent>(as type: IntentType.Type) -> IntentType {
        IntentType(parameters: self.intent.parameters)
    }
}

extension INIntentHandlingStatus {
    /// Whether nothing has been done yet, so that a message shows as a draft (behaviour 69).
    public var isDraft: Bool {
        switch self {
        case .unspecified, .ready, .inProgress, .userConfirmationRequired: true
        case .success, .failure, .deferredToApplication: false
        }
    }
}
