/// What an app needs to continue where an interaction ended (SiriKit's `NSUserActivity`).
///
/// The interaction itself is always filled in by the processor (R34).
public struct UserActivity: Hashable, Sendable {
    /// The activity's type; nil means the intent's name, as in SiriKit.
    public var activityType: String?
    public var title: String?
    /// Data for the app: error texts, deep links.
    public var userInfo: JSONObject

    public init(activityType: String? = nil, title: String? = nil, userInfo: JSONObject = [:]) {
        self.activityType = activityType
        self.title = title
        self.userInfo = userInfo
    }

    package init?(json: JSONValue) {
        guard json.object != nil else { return nil }
        self.init(
            activityType: json["activityType"]?.string,
            title: json["title"]?.string,
            userInfo: json["userInfo"]?.object ?? [:]
        )
    }
}
