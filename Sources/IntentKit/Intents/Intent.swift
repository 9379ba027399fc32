/// A request of a user: a name and typed parameters.
///
/// ```swift
/// struct LogSetIntent: Intent {
///     static let intentName = "LogSetIntent"
///     enum Code: String, IntentResponseCode { case ready, success, failure }
///
///     var exercise: String?
///     var reps: Int?
///
///     static let parameters: [IntentParameter<Self>] = [
///         .init("exercise", \.exercise), .init("reps", \.reps),
///     ]
/// }
/// ```
public protocol Intent: Sendable {
    /// The codes with which handlers of this intent report.
    associatedtype Code: IntentResponseCode

    /// The name by which events ask for the intent, such as `INSendMessageIntent`.
    static var intentName: String { get }

    /// The parameters in the order in which they are resolved (R18).
    static var parameters: [IntentParameter<Self>] { get }

    /// Makes the intent without any value.
    init()
}

extension Intent {
    /// The intent's own name, as SiriKit's `INIntentResponse` codes are named after it.
    public static var intentName: String { String(describing: Self.self) }

    /// Makes the intent with the values of a snapshot; what has another type is left out.
    package init(parameters: JSONObject) {
        self.init()
        for parameter in Self.parameters {
            if let value = parameters[parameter.description.name] { parameter.write(value, &self) }
        }
    }
}
