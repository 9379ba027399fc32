import InMemoryLog
import IntentEvents
import IntentKit
import IntentRuntime

@testable import IntentAudit
@testable import IntentConsole
@testable import IntentLab
@testable import IntentOperations
@testable import IntentRecords

/// The content of pages, with hostile names.
enum Samples {
    /// A text that would be markup if it were not escaped.
    static let hostile = "\"><img src=x onerror=alert(1)><script>alert('x')</script>\u{202E}"
    /// The time of the events.
    static let start = Timestamp(milliseconds: 1_790_000_000_000)

    /// Masks parameters named `card`.
    static let masking = Masking([Self.hostile: ["card"]])

    /// What a console without records works with; it has topics, and may write to them, where that is said.
    ///
    /// With topics, the app `Groceries` serves `OrderGroceries`.
    static func operations(withTopics: Bool = false, allowsWrites: Bool = false) async throws -> Operations {
        var configuration = Configuration()
        configuration.values[Setting.data.key] = .init(value: .text("/nowhere"), origin: .byDefault)
        guard withTopics else { return Operations(configuration, intents: nil, topics: nil) }
        let log = InMemoryLog()
        let groceries = IntentExtension("Groceries") { IntentRegistration { GroceryOrderHandler() } }
        let deployment = try await Deployment.create(configuration.topicPlan, on: log).deployment
        return Operations(
            configuration,
            intents: try IntentSet(configuration, sources: HandlerSources(own: [groceries]), directory: "/nowhere"),
            topics: (log, deployment),
            allowsWrites: allowsWrites
        )
    }

    /// An interaction.
    static func interaction(_ id: String = "dinner-1", status: String? = "success", ended: Bool = true)
        -> RecordedInteraction
    {
        RecordedInteraction(
            position: RecordPosition(.requests, 3, 17),
            interactionID: InteractionID(id),
            userID: UserID(Self.hostile),
            intent: Self.hostile,
            status: status,
            code: status == "failure" ? "failure" : status,
            endReason: ended ? "nominal" : nil,
            phase: "handle",
            requestedAt: Self.start,
            firstPromptAt: nil,
            endedAt: ended ? Self.start + 90_061_000 : nil,
            turns: 2,
            prompts: 1,
            terminalResponses: ended ? 1 : 0,
            parameters: ["card": "4111", "note": .string(Self.hostile)]
        )
    }

    /// An event on a topic.
    static func event(_ topic: Topic, _ offset: Int64, _ type: EventType, _ data: JSONValue) -> RecordedEvent {
        RecordedEvent(
            position: RecordPosition(topic, 3, offset),
            timestamp: Self.start + offset,
            id: "e\(offset)",
            type: type.rawValue,
            source: topic == .requests ? "client" : "/intentd/resolve",
            time: Self.start,
            subject: "dinner-1",
            userID: UserID(Self.hostile),
            causationID: nil,
            request: "3:17",
            key: nil,
            headers: [],
            value: Array(data.description.utf8)
        )
    }

    /// A whole conversation.
    static var story: InteractionStory {
        InteractionStory(
            interaction: Self.interaction(),
            events: [
                Self.event(
                    .requests,
                    17,
                    .intentRequested,
                    [
                        "intent": [
                            "name": .string(Self.hostile),
                            "parameters": ["card": "4111", "note": .string(Self.hostile)],
                        ]
                    ]
                ),
                Self.event(
                    .responses,
                    18,
                    .promptIssued,
                    [
                        "promptId": "dinner-1/r/1", "kind": "disambiguation", "parameter": "payee",
                        "dialog": .string(Self.hostile),
                        "options": [.string("Jeff Hoof"), .string(Self.hostile)],
                        "view": ["html": .string(Self.hostile)],
                    ]
                ),
                Self.event(
                    .requests,
                    19,
                    .promptAnswered,
                    ["promptId": "dinner-1/r/1", "action": "accept", "choice": 0]
                ),
                Self.event(
                    .requests,
                    20,
                    .promptAnswered,
                    ["promptId": "dinner-1/r/1", "action": "accept", "choice": 99]
                ),
                Self.event(
                    .responses,
                    21,
                    .promptIssued,
                    [
                        "promptId": "dinner-1/r/2", "kind": "confirmationRequired", "parameter": "card",
                        "dialog": "Did you mean 4111?", "options": ["•••"],
                    ]
                ),
                Self.event(.responses, 22, .eventRejected, ["reason": "duplicate", "detail": .string(Self.hostile)]),
                Self.event(
                    .responses,
                    23,
                    .intentResponded,
                    [
                        "code": "success", "status": "success", "terminal": true, "endReason": "nominal",
                        "response": ["card": "4111", "text": .string(Self.hostile)],
                    ]
                ),
            ],
            turns: []
        )
    }

    /// The frame around the pages.
    static let frame = Frame(sections: Frame.Section.allCases, deployment: "intents", foot: "")
}
