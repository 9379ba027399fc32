/// A handler's report: a code of the intent's own, details to show, and an activity for the app.
///
/// ```swift
/// return IntentResponse(code: .success, details: ["setsSoFar": .integer(3)])
/// ```
/// Details can also be made of a value: `try .encoding(bestSet)`.
public struct IntentResponse<IntentType: Intent>: Sendable {
    public var code: IntentType.Code
    /// What the app needs to continue; nil for the default one where one is needed.
    public var userActivity: UserActivity?
    /// Details for the user, by name: everything that the user should see before a yes (R28).
    public var details: JSONObject
    /// The dialog for the user: the question before a yes, or the words for the result; nil for the usual words.
    public var dialog: LocalizedText?
    /// Whether the user is asked before it is done, where the intent's policy leaves that to the handler (R29).
    public var requiresUserConfirmation: Bool
    /// Whether the user has to sign in first; with it `confirm` waits for `user.authenticated` (R26).
    public var requiresAuthentication: Bool
    /// The question with which the interaction goes back to the user; nil for none.
    var question: HandlerQuestion?

    public init(
        code: IntentType.Code,
        userActivity: UserActivity? = nil,
        details: JSONObject = [:],
        requiresUserConfirmation: Bool = false
    ) {
        self.code = code
        self.userActivity = userActivity
        self.details = details
        self.requiresUserConfirmation = requiresUserConfirmation
        self.requiresAuthentication = false
    }

    /// The same response, with a dialog for the user.
    ///
    /// ```swift
    /// return IntentResponse(code: .ready, requiresUserConfirmation: true).saying("\(reps) squats at 200 kg, really?")
    /// ```
    /// With a response of `confirm` it is the question before a yes; with any other, it is `dialog` of
    /// `intent.responded`.
    public func saying(_ words: LocalizedText) -> Self {
        var response = self
        response.dialog = words
        return response
    }

    /// Asks the user to sign in before anything is done, and continues after that.
    public static func authenticationRequired() -> Self {
        var response = Self(code: .failure)
        response.requiresAuthentication = true
        return response
    }
}
