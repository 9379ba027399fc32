/// A request of a user: a name and typed parameters.
///
/// ```swift
/// struct LogSet: Intent {
///     enum Code: String, IntentResponseCode { case ready, success, failure, failureNoSuchExercise }
///
///     @Parameter(prompt: "Which exercise?") var exercise: String?
///     @Parameter(isRequired: true, in: 1...100) var reps: Int?
/// }
/// ```
/// It holds nothing else than parameters, and they are resolved in the order in which they stand (R18). The compiler
/// writes the initializer that reads them; a `public` intent has to have its `init()` written, as any public structure.
public protocol Intent: Decodable, Sendable {
    /// The codes with which handlers of this intent report; those that every intent needs unless it has its own.
    associatedtype Code: IntentResponseCode = BasicResponseCode

    /// The name by which events ask for the intent, such as `INSendMessageIntent`; by default that of the type.
    static var intentName: String { get }

    /// What people call it, in one language or in several; by default its name as words.
    static var title: LocalizedText? { get }

    /// Makes the intent without any value.
    init()
}

extension Intent {
    /// The intent's own name, as SiriKit's `INIntentResponse` codes are named after it.
    public static var intentName: String { String(describing: Self.self) }

    /// Its name as words.
    public static var title: LocalizedText? { nil }

    /// Makes the intent with the values of a snapshot; what has another type is left out.
    package init(parameters: JSONObject) { self = IntentDescription<Self>.known().intent(parameters) }
}
