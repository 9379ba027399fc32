public import IntentKit
public import SiriKitIntents

/// A person in a user's address book.
public struct Contact: Hashable, Sendable, Codable {
    /// The app's identifier, unique in the address book.
    public var identifier: String
    /// The name to show and to look for.
    public var displayName: String
    /// How the contact is reached, the preferred address first.
    public var handles: [INPersonHandle]
    /// Whether the contact has an account with the service.
    public var hasAccount: Bool
    /// Whether messages get through to the contact.
    public var isReachable: Bool
    /// Whether the contact accepts messages of the service.
    public var takesMessages: Bool

    public init(
        _ displayName: String,
        identifier: String,
        handles: [INPersonHandle] = [],
        hasAccount: Bool = true,
        isReachable: Bool = true,
        takesMessages: Bool = true
    ) {
        self.identifier = identifier
        self.displayName = displayName
        self.handles = handles
        self.hasAccount = hasAccount
        self.isReachable = isReachable
        self.takesMessages = takesMessages
    }

    /// The reason why no message can be sent to the contact; nil if one can.
    public var unsupportedReason: INSendMessageRecipientUnsupportedReason? {
        if !self.hasAccount { return .noAccount }
        if !self.takesMessages { return .messagingServiceNotEnabledForRecipient }
        if !self.isReachable { return .offline }
        return self.handles.isEmpty ? .noValidHandle : nil
    }

    /// The address that is meant: by value, else by label; the preferred one when none is asked for.
    ///
    /// - Returns: Nil when the contact does not have the address.
    func handle(matching asked: INPersonHandle?) -> INPersonHandle? {
        if let value = asked?.value?.matchingKey {
            return self.handles.first { $0.value?.matchingKey == value }
        }
        if let label = asked?.label?.matchingKey {
            return self.handles.first { $0.label?.matchingKey == label }
        }
        return self.handles.first
    }
}
