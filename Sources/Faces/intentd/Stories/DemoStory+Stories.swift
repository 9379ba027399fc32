import Foundation
import IntentCommands
import IntentKit
import SampleApps

extension DemoStory {
    /// The stories, in the order in which they are played.
    static let all: [DemoStory] =
        [
            twoJeffs, nobodyOfThatName, groupByPart, secondThoughts, lapsedSession, tableForTwo, nearMiss, givingUp,
        ] + messages + payments + calls + workouts + rides

    static let yes = Reply(words: "Yes.", data: ["action": "accept"])

    private static let twoJeffs = DemoStory(
        title: "Two Jeffs: the user picks one, and adds the message",
        user: "diana",
        words: "Send a message to Jeff.",
        intent: IntentSnapshot(name: "INSendMessageIntent", parameters: ["recipients": [["spokenPhrase": "Jeff"]]]),
        replies: [
            Reply(words: "The second one.", data: ["action": "accept", "choice": 1]),
            Reply(
                words: "Great job on your presentation!",
                data: ["action": "accept", "value": "Great job on your presentation!"]
            ),
            yes,
        ]
    )

    private static let nobodyOfThatName = DemoStory(
        title: "Unknown name: the user names someone else",
        user: "diana",
        words: "Tell Rainbow that lunch is ready.",
        intent: IntentSnapshot(
            name: "INSendMessageIntent",
            parameters: ["recipients": [["spokenPhrase": "Rainbow"]], "content": "Lunch is ready"]
        ),
        replies: [
            Reply(words: "Celestra, then.", data: ["action": "accept", "value": ["spokenPhrase": "Celestra"]]),
            yes,
        ]
    )

    private static let groupByPart = DemoStory(
        title: "A group, by a part of its name: one stored message for each member",
        user: "diana",
        words: "Tell the neighbors that I will be late.",
        intent: IntentSnapshot(
            name: "INSendMessageIntent",
            parameters: ["speakableGroupName": ["spokenPhrase": "neighbor"], "content": "I will be late"]
        ),
        replies: [yes]
    )

    private static let secondThoughts = DemoStory(
        title: "Second thoughts: a correction together with the no",
        user: "scott",
        words: "Tell Buttercup: see you at eight.",
        intent: IntentSnapshot(
            name: "INSendMessageIntent",
            parameters: ["recipients": [["spokenPhrase": "Buttercup"]], "content": "See you at eight"]
        ),
        replies: [
            Reply(
                words: "No, make it nine.",
                data: ["action": "decline", "corrections": ["content": "See you at nine"]]
            ),
            yes,
        ]
    )

    private static let lapsedSession = DemoStory(
        title: "The session has expired: the intent is handed to the app",
        user: "scott",
        words: "Tell Celestra: hello.",
        intent: IntentSnapshot(
            name: "INSendMessageIntent",
            parameters: ["recipients": [["spokenPhrase": "Celestra"]], "content": "Hello"]
        ),
        replies: [],
        prepare: { try UnicornService.setSession(of: "scott", expiresAt: .distantPast, in: $0) }
    )

    private static let tableForTwo = DemoStory(
        title: "An intent declared in a file: required values are asked for, defaults filled in",
        user: "ada",
        words: "Book a table.",
        intent: IntentSnapshot(name: TableIntent.name),
        replies: [
            Reply(words: "The Blue Door.", data: ["action": "accept", "value": "The Blue Door"]),
            Reply(words: "On the third of December.", data: ["action": "accept", "value": "2026-12-03"]),
            Reply(words: "Half past seven.", data: ["action": "accept", "value": "19:30"]),
            yes,
        ]
    )

    private static let nearMiss = DemoStory(
        title: "Nearly one of the allowed values: the user is offered the close matches",
        user: "ada",
        words: "Book a table on the terace of The Blue Door for the third of December, half past seven.",
        intent: IntentSnapshot(
            name: TableIntent.name,
            parameters: [
                "restaurant": "The Blue Door", "date": "2026-12-03", "time": "19:30", "area": "terace",
            ]
        ),
        replies: [yes, yes]
    )

    private static let givingUp = DemoStory(
        title: "The user gives up",
        user: "ada",
        words: "Book a table.",
        intent: IntentSnapshot(name: TableIntent.name),
        replies: [Reply(words: "Never mind.", data: ["action": "cancel"])]
    )
}
