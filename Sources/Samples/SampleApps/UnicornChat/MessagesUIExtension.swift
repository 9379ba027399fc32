public import IntentKit
import SiriKitIntents

/// UnicornChat's views, with a list of intents of their own (behaviour 91).
public enum MessagesUIExtension {
    public static func make() -> IntentUIExtension {
        IntentUIExtension(
            "UnicornChatUI",
            supportedIntents: [INSendMessageIntent.intentName],
            presenter: TranscriptPresenter()
        )
    }
}
