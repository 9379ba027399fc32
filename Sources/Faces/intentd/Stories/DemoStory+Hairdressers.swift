import IntentCommands
import IntentKit

extension DemoStory {
    /// The Hairdressers' story, as the book has it.
    static let hairdressers = [
        DemoStory(
            title: "Hairdressers: an unknown name is asked for again, two Jeffs are offered as a choice",
            user: "donny",
            words: "Send a message to Sweeney: is Tuesday fine?",
            intent: IntentSnapshot(
                name: "INSendMessageIntent",
                parameters: ["recipients": [["spokenPhrase": "Sweeney"]], "content": "Is Tuesday fine?"]
            ),
            replies: [
                Reply(words: "Jeff, I mean.", data: ["action": "accept", "value": "Jeff"]),
                Reply(words: "Jeff Green.", data: ["action": "accept", "choice": 1]),
            ]
        )
    ]
}
