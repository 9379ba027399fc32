import IntentCommands
import IntentKit

extension DemoStory {
    /// UnicornTalk's stories: a call never succeeds here, because the app makes it.
    static let calls = [missedCalls, noPicture]

    private static let missedCalls = DemoStory(
        title: "Two missed calls: the user picks one, and the app gets the contact to call",
        user: "diana",
        words: "Call back.",
        intent: IntentSnapshot(name: "INStartCallIntent", parameters: ["destinationType": "callBack"]),
        replies: [Reply(words: "Jeff.", data: ["action": "accept", "choice": 1])]
    )

    private static let noPicture = DemoStory(
        title: "Celestra does not take video calls: the user learns the reason and chooses audio",
        user: "scott",
        words: "Call Celestra with video.",
        intent: IntentSnapshot(
            name: "INStartCallIntent",
            parameters: ["contacts": ["Celestra"], "callCapability": "videoCall"]
        ),
        replies: [Reply(words: "Without, then.", data: ["action": "accept", "value": "audioCall"])]
    )
}
