public import IntentKit

/// A response to the user: `intent.responded`.
public struct TestResponse: Hashable, Sendable {
    /// The intent's own code; nil if the interaction ended before a handler gave one.
    public var code: String?
    /// The code in SiriKit's terms (`INIntentHandlingStatus`), such as `success` or `inProgress`.
    public var status: String
    /// Whether this is the end.
    public var isTerminal: Bool
    /// Why it ended: `nominal`, `declined`, `timeout` …; nil when it has not.
    public var endReason: String?
    /// The stage that answered: `resolve`, `confirm`, `handle`.
    public var phase: String
    /// The handler's details.
    public var details: JSONObject
    /// The intent's values as they were handled.
    public var parameters: JSONObject
    /// The names of the effects that were made, in order.
    public var effects: [String]
    /// The id of the interaction that is in front again; nil if none was set aside (R78).
    public var next: String?
    /// The names of the effects that were undone, in that order.
    public var undone: [String]
    /// The names of the effects that were to be undone and stay; they are among ``effects``.
    public var undoFailed: [String]
    /// What the app needs to continue; nil if nothing was handed over.
    public var userActivity: JSONValue?
    /// The whole event's data.
    public var data: JSONValue

    init(_ data: JSONValue) {
        self.code = data["code"]?.string
        self.status = data["status"]?.string ?? ""
        self.isTerminal = data["terminal"]?.bool ?? false
        self.endReason = data["endReason"]?.string
        self.phase = data["phase"]?.string ?? ""
        self.details = data["response"]?.object ?? [:]
        self.parameters = data["intent"]?["parameters"]?.object ?? [:]
        self.effects = (data["effects"]?.array ?? []).compactMap(\.string)
        self.next = data["next"]?.string
        self.undone = (data["undone"]?.array ?? []).compactMap(\.string)
        self.undoFailed = (data["undoFailed"]?.array ?? []).compactMap { $0["effect"]?.string }
        self.userActivity = data["userActivity"].flatMap { $0.isNull ? nil : $0 }
        self.data = data
    }

    /// The response in a few words.
    var description: String {
        let code = self.code.map { "code \($0), " } ?? ""
        let reason = self.endReason.map { ", endReason \($0)" } ?? ""
        return "\(code)status \(self.status)\(reason), in \(self.phase), \(JSONValue.object(self.details))"
    }
}
