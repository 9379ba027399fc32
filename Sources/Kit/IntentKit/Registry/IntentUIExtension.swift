/// A presenter and the intents that it draws (R38): a list separate from the handlers' (see behaviour 91).
public struct IntentUIExtension: Sendable {
    /// The extension's name, for errors.
    public var name: String
    /// The names of the intents that it draws.
    public var supportedIntents: Set<String>
    public var presenter: any IntentPresenter

    public init(_ name: String, supportedIntents: Set<String>, presenter: any IntentPresenter) {
        self.name = name
        self.supportedIntents = supportedIntents
        self.presenter = presenter
    }
}
