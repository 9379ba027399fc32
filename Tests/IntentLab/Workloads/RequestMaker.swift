package import IntentEvents
package import IntentKit
package import IntentRuntime

/// Creates requests that need no prompt: each produces one terminal response.
package struct RequestMaker: Sendable {
    /// The number of users, who send requests in turn.
    package var users: Int
    /// The number of partitions of the topics.
    package var partitions: Int
    /// The user who sends all of them, where one does.
    package var only: UserID?

    /// Creates requests of this many users, for topics with this many partitions.
    package init(users: Int, partitions: Int) {
        self.users = users
        self.partitions = partitions
    }

    /// The user of a request.
    package func user(_ index: Int) -> UserID { self.only ?? "user-\(index % self.users)" }

    /// The request of that number, for that topic; its subject contains the number.
    package func record(_ index: Int, topic: TopicName) -> OutgoingRecord {
        let user = self.user(index)
        let event = Event(
            id: "request-\(index)",
            source: "/benchmark",
            type: .intentRequested,
            time: Timestamp(milliseconds: 1_795_000_000_000 + Int64(index)),
            subject: "\(index)",
            userID: user,
            data: Self.data(user: user, people: index % 12 + 1)
        )
        return OutgoingRecord(
            topicPartition: TopicPartition(topic, HomePartition.of(user: user, count: self.partitions)),
            content: event.content
        )
    }

    /// The data of a request.
    package static func data(user: UserID, people: Int) -> JSONValue {
        [
            "intent": [
                "name": .string(BenchmarkIntent.name),
                "parameters": [
                    "city": "San Francisco", "people": .integer(Int64(people)),
                    "note": "A table by the window, if there is one; we come straight from the theatre.",
                ],
            ],
            "user": ["id": user.json, "authorization": "authorized", "authenticated": true],
            "device": ["id": "phone-1", "locked": false, "appVersion": "4.2.1"],
            "locale": "en-US",
        ]
    }

    /// The number of the request that a record answers; nil when it is not a terminal response.
    package static func terminalNumber(_ record: LogRecord) -> Int? {
        guard record.header(EventHeaderName.type) == EventType.intentResponded.rawValue,
            let value = record.value, Self.contains(Self.terminal, in: value)
        else { return nil }
        return Self.number(record)
    }

    /// The number of the request that a record belongs to.
    package static func number(_ record: LogRecord) -> Int? {
        record.header(EventHeaderName.subject).flatMap { Int($0) }
    }

    private static let terminal = Array(#""terminal":true"#.utf8)

    private static func contains(_ needle: [UInt8], in bytes: [UInt8]) -> Bool {
        guard bytes.count >= needle.count else { return false }
        return (0...(bytes.count - needle.count))
            .contains { start in
                bytes[start] == needle[0] && bytes[start..<(start + needle.count)].elementsEqual(needle)
            }
    }
}
