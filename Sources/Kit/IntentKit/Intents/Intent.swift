/// A user's request: a name and typed parameters.
///
/// ```swift
/// struct LogSet: Intent {
///     enum Code: String, IntentResponseCode { case ready, success, failure, failureNoSuchExercise }
///
///     @Parameter(prompt: "Which exercise?") var exercise: String?
///     @Parameter(isRequired: true, in: 1...100) var reps: Int?
/// }
/// ```
/// It holds nothing but parameters, and they are resolved in the order of the properties (R18). The compiler writes the
/// initializer that reads them. A `public` intent must declare its `init()`, as any public structure.
public protocol Intent: Decodable, Sendable {
    /// The codes that handlers of this intent report; by default those that every intent needs.
    associatedtype Code: IntentResponseCode = BasicResponseCode

    /// The name by which events ask for the intent, such as `INSendMessageIntent`; by default that of the type.
    static var intentName: String { get }

    /// What people call it, in one language or in several; by default its name as words.
    static var title: LocalizedText? { get }

    /// Makes the intent without any value.
    init()
}

extension Intent {
    /// The intent's own name, after which SiriKit's `INIntentResponse` codes are named.
    public static var intentName: String { String(describing: Self.self) }

    /// Its name as words.
    public static var title: LocalizedText? { nil }

    /// Makes the intent with the values of a snapshot; values of another type are left out.
    package init(parameters: JSONObject) { self = IntentDescription<Self>.known().intent(parameters) }
}
