public import IntentKit

public typealias INSendMessageIntentResponse = IntentResponse<INSendMessageIntent>

extension INSendMessageIntentResponse {
    /// The messages that were sent, one a recipient; kept in the response's details under the same name.
    public var sentMessages: [INMessage]? {
        get { self.details["sentMessages"].flatMap([INMessage].init(json:)) }
        set { self.details["sentMessages"] = newValue?.json }
    }
}
