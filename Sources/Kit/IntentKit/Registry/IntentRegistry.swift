/// Maps intents to their handlers (R15).
public struct IntentRegistry: Sendable {
    /// What is wrong with a set of extensions.
    public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
        /// What is wrong, naming the intent and the extensions.
        public var description: String
    }

    /// An intent's registration and the extension that it came from.
    ///
    /// This is a reference, since every turn looks it up.
    package final class Entry: Sendable {
        package let registration: IntentRegistration
        package let extensionName: String
        /// Whether it waits for an unlocked device.
        package let isRestrictedWhileLocked: Bool
        /// The time limit of its handler, if it declares one.
        package let handlerTimeout: Duration?
        /// Draws it, if there is a presenter (R38).
        package let presenter: (any IntentPresenter)?
        /// Its index among the registry's entries: what is kept for each of them is found without a search.
        package let index: Int

        /// Who decides whether the user is asked.
        package var confirmation: ConfirmationPolicy { self.registration.effectiveConfirmation }

        fileprivate init(_ registration: IntentRegistration, of intentExtension: IntentExtension, index: Int) {
            self.registration = registration
            self.index = index
            self.extensionName = intentExtension.name
            self.isRestrictedWhileLocked =
                registration.isFinancial
                || intentExtension.restrictedWhileLocked.contains(registration.intentName)
            self.handlerTimeout = intentExtension.handlerTimeout
            self.presenter = nil
        }

        fileprivate init(_ other: Entry, drawnBy presenter: any IntentPresenter) {
            self.registration = other.registration
            self.index = other.index
            self.extensionName = other.extensionName
            self.isRestrictedWhileLocked = other.isRestrictedWhileLocked
            self.handlerTimeout = other.handlerTimeout
            self.presenter = presenter
        }
    }

    private let entries: [String: Entry]

    /// Builds the registry.
    ///
    /// Payments are restricted while locked whatever the extension says (R26).
    /// - Parameters:
    ///   - extensions: The intents and their handlers.
    ///   - presentation: The presenters, each with the list of intents that it draws.
    /// - Throws: ``ConfigurationError`` when an intent is claimed twice, or restricted while locked or drawn without
    ///   being supported, or when a resolver's property is no parameter.
    public init(
        _ extensions: [IntentExtension],
        presentation: [IntentUIExtension] = []
    ) throws(ConfigurationError) {
        var entries: [String: Entry] = [:]
        for intentExtension in extensions {
            for registration in intentExtension.registrations {
                let name = registration.intentName
                if let problem = registration.problem { throw ConfigurationError(description: problem) }
                if let other = entries[name] {
                    throw ConfigurationError(
                        description: other.extensionName == intentExtension.name
                            ? "\(name) is registered twice in \(other.extensionName): keep one IntentRegistration (R15)."
                            : "\(name) is claimed by two extensions, \(other.extensionName) and "
                                + "\(intentExtension.name): an intent has one handler (R15)."
                    )
                }
                entries[name] = Entry(registration, of: intentExtension, index: entries.count)
            }
            let supported = Set(intentExtension.registrations.map(\.intentName))
            if let name = intentExtension.restrictedWhileLocked.subtracting(supported).min() {
                throw ConfigurationError(
                    description: "\(intentExtension.name) restricts \(name) while locked but does not support it: "
                        + "register a handler for \(name), or remove it from the list (R15)."
                )
            }
        }
        let undoable = entries.values.filter { $0.registration.undos.values.contains { $0.within != nil } }
        if !undoable.isEmpty {
            let name = UndoInteraction.intentName
            if let other = entries[name] {
                throw ConfigurationError(
                    description: "\(name) is claimed by \(other.extensionName), and is intentd's own where an Undo has "
                        + "a time: name the intent otherwise (R75)."
                )
            }
            let titles = undoable.compactMap { entry in
                entry.registration.title.map { (entry.registration.intentName, $0) }
            }
            let registration = UndoInteraction.registration(
                Dictionary(titles) { first, _ in first },
                isFinancial: undoable.contains(where: \.isRestrictedWhileLocked)
            )
            entries[name] = Entry(registration, of: IntentExtension("intentd") { registration }, index: entries.count)
        }
        for uiExtension in presentation {
            for name in uiExtension.supportedIntents.sorted() {
                guard let entry = entries[name] else {
                    throw ConfigurationError(
                        description: "\(uiExtension.name) draws \(name), which has no handler: register a handler for "
                            + "\(name), or remove it from the list (R38)."
                    )
                }
                guard entry.presenter == nil else {
                    throw ConfigurationError(
                        description: "\(name) is drawn by two presenters, one of them \(uiExtension.name)'s: an intent "
                            + "has one presenter (R38)."
                    )
                }
                entries[name] = Entry(entry, drawnBy: uiExtension.presenter)
            }
        }
        self.entries = entries
    }

    package static let empty = IntentRegistry()

    private init() { self.entries = [:] }

    /// The names of all intents, sorted.
    public var intentNames: [String] { self.entries.keys.sorted() }

    /// The entry of an intent; nil when no handler supports it.
    package subscript(_ intentName: String) -> Entry? { self.entries[intentName] }
}
