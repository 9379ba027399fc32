/// A handler's response without its intent's type.
public struct HandlerResponse: Hashable, Sendable {
    /// The code's name; nil where the intent's list has none for the case.
    public var code: String?
    /// Details for the user.
    public var details: JSONObject
    /// The dialog for the user; nil for the usual words, or none.
    public var dialog: LocalizedText?
    /// What the app needs to continue.
    public var userActivity: UserActivity?
    /// Whether the handler requires the user's yes.
    public var requiresUserConfirmation: Bool
    /// Whether the user has to sign in first.
    public var requiresAuthentication: Bool
    /// The question with which the interaction goes back to the user instead of ending (R72c); nil for none.
    public var question: HandlerQuestion?

    public init(
        code: String?,
        details: JSONObject = [:],
        userActivity: UserActivity? = nil,
        requiresUserConfirmation: Bool = false,
        requiresAuthentication: Bool = false
    ) {
        self.code = code
        self.details = details
        self.userActivity = userActivity
        self.requiresUserConfirmation = requiresUserConfirmation
        self.requiresAuthentication = requiresAuthentication
    }

    /// Erases the intent's type.
    init<IntentType: Intent>(_ response: IntentResponse<IntentType>) {
        self.init(
            code: response.code.rawValue,
            details: response.details,
            userActivity: response.userActivity,
            requiresUserConfirmation: response.requiresUserConfirmation,
            requiresAuthentication: response.requiresAuthentication
        )
        self.dialog = response.dialog
        self.question = response.question
    }
}
