public import IntentKit

public typealias INSearchForMessagesIntentResponse = IntentResponse<INSearchForMessagesIntent>

extension INSearchForMessagesIntentResponse {
    /// The messages that were found, the latest first; kept in the response's details under the same name.
    public var messages: [INMessage]? {
        get { self.details["messages"].flatMap([INMessage].init(json:)) }
        set { self.details["messages"] = newValue?.json }
    }
}
