internal import IntentEvents
package import IntentKit
internal import IntentRuntime
internal import WireRules

/// The AsyncAPI 3.0 document: channels are topics, operations are what the stages do with them, messages are events
/// with their CloudEvents headers (contract, sections 1 and 2).
package struct AsyncAPIDocument: Sendable {
    private static let bindingVersion = "0.5.0"
    private static let deadLetter = "dead-letter"
    private static let stateEntry = "state-entry"

    /// The version of intentd.
    private let version: String

    package init(version: String) {
        self.version = version
    }

    package var json: JSONValue {
        [
            "asyncapi": "3.0.0",
            "info": [
                "title": "intentd", "version": .string(self.version),
                "description": """
                SiriKit's resolve, confirm, handle on a message queue. Clients write to `requests` and read `responses` \
                and `user-activities`; everything of one user is in one partition, murmur2(user id) mod the number of \
                partitions. Receivers ignore members that they do not know; what intentd writes is described exactly.
                """,
                "license": ["name": "Apache License 2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"],
            ],
            "defaultContentType": "application/json",
            "servers": [
                "embedded": [
                    "host": "127.0.0.1:9092", "protocol": "kafka",
                    "description": "The broker that `intentd broker` runs.",
                ]
            ],
            "channels": .object(Dictionary(Topic.allCases.map { ($0.rawValue, self.channel($0)) }) { $1 }),
            "operations": .object(self.operations),
            "components": [
                "messages": .object(self.messages), "schemas": .object(self.schemas),
                "parameters": [
                    "prefix": ["description": "The prefix of the topic names (`--prefix`).", "default": "intents"]
                ],
            ],
        ]
    }

    // MARK: Channels

    private func channel(_ topic: Topic) -> JSONValue {
        let plan = TopicPlan()
        let settings = plan.topics().first { $0.name == topic.name(prefix: plan.prefix) }
        let configuration = (settings?.configuration ?? [:])
            .map { name, value in
                (
                    name,
                    name == "cleanup.policy" ? [.string(value)] : Int64(value).map(JSONValue.integer) ?? .string(value)
                )
            }
        let messages = self.messageNames(on: topic)
            .map { ($0, ["$ref": .string("#/components/messages/\($0)")] as JSONValue) }
        return [
            "address": topic.name(prefix: "{prefix}").json,
            "description": .string(topic.summary),
            "parameters": ["prefix": ["$ref": "#/components/parameters/prefix"]],
            "messages": .object(Dictionary(messages) { $1 }),
            "tags": [["name": topic.isForClients ? "clients" : "internal"]],
            "bindings": [
                "kafka": [
                    "partitions": .integer(Int64(plan.partitions)),
                    "replicas": .integer(Int64(plan.copies(brokers: 1))),
                    "topicConfiguration": .object(Dictionary(configuration) { $1 }),
                    "bindingVersion": .string(Self.bindingVersion),
                ]
            ],
        ]
    }

    private func messageNames(on topic: Topic) -> [String] {
        switch topic {
        case .deadLetters: [Self.deadLetter]
        case .state: [Self.stateEntry]
        case .requests, .resolved, .confirmed, .signals, .responses, .userActivities, .journal:
            EventRule.all.filter { $0.topics.contains(topic) }.map(\.type.rawValue)
        }
    }

    // MARK: Operations

    private var operations: JSONObject {
        var operations: JSONObject = [:]
        for stage in Stage.allCases {
            for topic in stage.inputTopics {
                operations["\(stage.rawValue).receive.\(topic.rawValue)"] = self.operation(
                    "receive",
                    topic,
                    "The input of the \(stage.rawValue) stage.",
                    group: stage
                )
            }
        }
        for topic in Topic.allCases where topic != .requests {
            operations["send.\(topic.rawValue)"] = self.operation("send", topic, topic.summary, group: nil)
        }
        return operations
    }

    private func operation(_ action: String, _ topic: Topic, _ summary: String, group: Stage?) -> JSONValue {
        let channel = "#/channels/\(topic.rawValue)"
        return .members([
            "action": .string(action), "channel": ["$ref": .string(channel)], "summary": .string(summary),
            "messages": .array(
                self.messageNames(on: topic).map { ["$ref": .string("\(channel)/messages/\($0)")] }
            ),
            "bindings": group.map { stage in
                [
                    "kafka": [
                        "groupId": ["type": "string", "pattern": .string("\\.\(stage.rawValue)$")],
                        "bindingVersion": .string(Self.bindingVersion),
                    ]
                ]
            },
        ])
    }

    // MARK: Messages

    private var messages: JSONObject {
        var messages = JSONObject(EventRule.all.map { ($0.type.rawValue, self.message($0)) })
        messages[Self.deadLetter] = [
            "name": .string(Self.deadLetter), "title": "A dead letter",
            "summary": "An event that could not be processed, byte for byte, with headers that give the error.",
            "headers": .object(self.writer(.received).schema(DeadLetterRule.headers)),
            "payload": [:],
            "bindings": self.binding(key: ["description": "The original key."]),
        ]
        messages[Self.stateEntry] = [
            "name": .string(Self.stateEntry), "title": "A stage's own state",
            "summary":
                "An entry of the stages' changelog, read only by the same stage. Its form may change at any time.",
            "payload": [:],
            "bindings": self.binding(key: ["type": "string", "pattern": "^(resolve|confirm|handle)?/[^/]*/"]),
        ]
        return messages
    }

    private func message(_ rule: EventRule) -> JSONValue {
        .members([
            "name": .string(rule.type.rawValue), "title": .string(rule.type.rawValue),
            "summary": .string(rule.summary), "contentType": "application/json",
            "headers": .object(self.writer(rule.strictness).schema(rule.headers)),
            "payload": ["$ref": .string("#/components/schemas/\(rule.type.rawValue)")],
            "correlationId": rule.attributes["subject"] == nil
                ? nil : ["description": "The interaction.", "location": "$message.header#/ce_subject"],
            "bindings": self.binding(
                key: ["type": "string", "description": "The user's id. It determines the partition."]
            ),
        ])
    }

    private func binding(key: JSONValue) -> JSONValue {
        ["kafka": ["key": key, "bindingVersion": .string(Self.bindingVersion)]]
    }

    // MARK: Schemas

    private var schemas: JSONObject {
        var schemas: JSONObject = [:]
        for rule in EventRule.all {
            let writer = self.writer(rule.strictness)
            schemas[rule.type.rawValue] = .object(writer.schema(rule.data))
            schemas.merge(writer.definitions(ValueRule.object(rule.data).sharedRules)) { $1 }
        }
        return schemas
    }

    private func writer(_ strictness: ValueRule.Strictness) -> SchemaWriter {
        SchemaWriter(strictness, references: "#/components/schemas/")
    }
}

extension Topic {
    /// What the topic is for.
    fileprivate var summary: String {
        switch self {
        case .requests: "Events from clients and apps."
        case .resolved: "Interactions with resolved parameters, and client events for the stages after resolve."
        case .confirmed: "Interactions that are ready to be handled, and client events for the handle stage."
        case .signals:
            "Timers, and events that the stages send to each other and to themselves. Never written by clients."
        case .responses: "Prompts and responses for clients."
        case .userActivities: "User activities, with which apps continue interactions."
        case .journal: "The inputs and results of every turn, for the recorder and for replay."
        case .deadLetters: "Events that could not be processed."
        case .state: "The stages' own state, compacted."
        }
    }

    /// Whether clients write or read it.
    fileprivate var isForClients: Bool {
        switch self {
        case .requests, .responses, .userActivities: true
        case .resolved, .confirmed, .signals, .journal, .deadLetters, .state: false
        }
    }
}
