/// Intents that belong together, with settings of their own (R15): SiriKit's Intents extension.
///
/// ```swift
/// let unicornChat = IntentExtension("UnicornChat", restrictedWhileLocked: ["INSendMessageIntent"]) {
///     IntentRegistration(version: "1") { UCSendMessageIntentHandler() }
/// }
/// ```
public struct IntentExtension: Sendable {
    /// The extension's name, for errors and the journal.
    public var name: String
    /// The intents that wait while the device is locked (R26).
    public var restrictedWhileLocked: Set<String>
    /// The intents and their handlers.
    public var registrations: [IntentRegistration]
    /// The tables that its handlers need, in the order of their creation.
    public var migrations: [StoreMigration]
    /// How long a handler of this extension may take; nil for the configured default (R32).
    public var handlerTimeout: Duration?
    /// Fills the stores for a user of a demo or a test, as the app would have.
    ///
    /// Running it again restores the same contents.
    public var addDemoData: (@Sendable (_ userID: String, any StoreTransaction) throws -> Void)?

    public init(
        _ name: String,
        restrictedWhileLocked: Set<String> = [],
        migrations: [StoreMigration] = [],
        handlerTimeout: Duration? = nil,
        addDemoData: (@Sendable (_ userID: String, any StoreTransaction) throws -> Void)? = nil,
        @IntentRegistrationBuilder _ registrations: () -> [IntentRegistration]
    ) {
        self.name = name
        self.restrictedWhileLocked = restrictedWhileLocked
        self.registrations = registrations()
        self.migrations = migrations
        self.handlerTimeout = handlerTimeout
        self.addDemoData = addDemoData
    }
}

/// Gathers the registrations of an extension.
@resultBuilder
public enum IntentRegistrationBuilder {
    public static func buildExpression(_ registration: IntentRegistration) -> [IntentRegistration] { [registration] }
    /// Accepts registrations made elsewhere.
    public static func buildExpression(_ registrations: [IntentRegistration]) -> [IntentRegistration] { registrations }
    /// Joins them.
    public static func buildBlock(_ parts: [IntentRegistration]...) -> [IntentRegistration] { parts.flatMap { $0 } }
}
