/// Who asked, as the request's event says (contract, section 2).
public struct RequestingUser: Hashable, Sendable {
    /// Whether the user lets the assistant use the app (`INSiriAuthorizationStatus`).
    public enum Authorization: String, Sendable, CaseIterable {
        /// The user has not been asked.
        case notDetermined
        /// The user may not decide.
        case restricted
        case denied
        case authorized
    }

    public var id: String
    /// Whether the user lets the assistant use the app.
    public var authorization: Authorization
    public var isAuthenticated: Bool
    /// Whether the user's contacts may be used.
    public var hasContactsAccess: Bool

    public init(
        id: String,
        authorization: Authorization = .authorized,
        isAuthenticated: Bool = true,
        hasContactsAccess: Bool = true
    ) {
        self.id = id
        self.authorization = authorization
        self.isAuthenticated = isAuthenticated
        self.hasContactsAccess = hasContactsAccess
    }
}

/// The device that a request came from.
public struct RequestingDevice: Hashable, Sendable {
    /// The device's id, if it gave one.
    public var id: String?
    /// Whether it is locked; nil when the event does not say.
    public var isLocked: Bool?
    /// The app's version on it, if it gave one.
    public var appVersion: String?

    public init(id: String? = nil, isLocked: Bool? = nil, appVersion: String? = nil) {
        self.id = id
        self.isLocked = isLocked
        self.appVersion = appVersion
    }
}
