import IntentCommands
import IntentKit

extension DemoStory {
    /// UnicornChat's other stories: finding and marking.
    static let messages = [unread, marked]

    private static let unread = DemoStory(
        title: "A search: what Celestra wrote about lunch and nobody has read",
        user: "ada",
        words: "Find what Celestra wrote about lunch.",
        intent: IntentSnapshot(
            name: "INSearchForMessagesIntent",
            parameters: ["senders": ["Celestra"], "searchTerms": ["lunch"], "attributes": ["unread"]]
        ),
        replies: []
    )

    private static let marked = DemoStory(
        title: "Marking a message, once it is known as what",
        user: "ada",
        words: "Mark it.",
        intent: IntentSnapshot(name: "INSetMessageAttributeIntent", parameters: ["identifiers": ["inbox-1-ada"]]),
        replies: [Reply(words: "As flagged.", data: ["action": "accept", "value": "flagged"])]
    )
}
