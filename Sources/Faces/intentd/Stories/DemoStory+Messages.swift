import IntentCommands
import IntentKit

extension DemoStory {
    /// UnicornChat's other stories: finding and marking.
    static let messages = [unread, marked]

    private static let unread = DemoStory(
        title: "A search: unread messages from Celestra about lunch",
        user: "ada",
        words: "Find what Celestra wrote about lunch.",
        intent: IntentSnapshot(
            name: "INSearchForMessagesIntent",
            parameters: ["senders": ["Celestra"], "searchTerms": ["lunch"], "attributes": ["unread"]]
        ),
        replies: []
    )

    private static let marked = DemoStory(
        title: "Marking a message, once the user has said how",
        user: "ada",
        words: "Mark it.",
        intent: IntentSnapshot(name: "INSetMessageAttributeIntent", parameters: ["identifiers": ["inbox-1-ada"]]),
        replies: [Reply(words: "As flagged.", data: ["action": "accept", "value": "flagged"])]
    )
}
