import IntentEvents
import IntentKit
package import IntentRuntime

/// Conversations of ``GroceryOrder``, all at once, step by step: a request, three answers, a response.
///
/// The client's work between the steps is not measured: it creates the next events while the stages are idle.
package struct ConversationWorkload: Sendable {
    /// The figures of a run.
    package struct Figures: Sendable {
        /// The change of the gauge while the stages worked.
        package var used = 0.0
        /// The time that the stages worked, in seconds.
        package var seconds = 0.0
    }

    /// The steps: what the client sends, in order, and what comes back.
    private enum Step: CaseIterable {
        /// The request; the answer asks which milk is meant.
        case request
        /// The choice of milk; the answer asks for the address.
        case choice
        /// The address; the answer asks for a yes.
        case address
        /// The yes; the answer is the response.
        case yes
    }

    private let log: any EventLog
    private let deployment: Deployment
    private let users: Int
    private let gauge: @Sendable () -> Double

    /// Prepares conversations.
    ///
    /// - Parameters:
    ///   - log: The stages' log.
    ///   - deployment: The stages' deployment.
    ///   - users: The number of users; each has several conversations.
    ///   - gauge: Read before and after each step.
    package init(
        on log: any EventLog,
        _ deployment: Deployment,
        users: Int,
        gauge: @escaping @Sendable () -> Double = { ProcessorTime.seconds }
    ) {
        self.log = log
        self.deployment = deployment
        self.users = users
        self.gauge = gauge
    }

    /// Plays this many conversations to their end, while the stages work.
    ///
    /// - Parameters:
    ///   - count: The number of conversations.
    ///   - first: The number of the first one; no two have the same.
    /// - Returns: The figures.
    /// - Throws: `LogError`; ``BenchmarkError`` when the result is not the expected one.
    package func run(_ count: Int, from first: Int = 0) async throws -> Figures {
        let producer = try await self.log.makeProducer()
        let responses = Topic.responses.name(prefix: self.deployment.prefix)
        let topicPartitions = (0..<self.deployment.partitions).map { TopicPartition(responses, $0) }
        var next = try await self.log.offsets(topicPartitions, at: .end)
        var figures = Figures()
        var asked: [LogRecord] = []
        for step in Step.allCases {
            let events =
                step == .request
                ? (first..<(first + count)).map(self.request) : try asked.map { try self.answer(step, to: $0) }
            let (used, began) = (self.gauge(), ContinuousClock.now)
            for start in stride(from: 0, to: count, by: 5_000) {
                _ = try await producer.send(Array(events[start..<min(start + 5_000, count)]))
            }
            (asked, next) = try await ResponseWatcher.collect(
                count,
                of: responses,
                from: next,
                self.log,
                self.deployment.partitions
            )
            figures.used += self.gauge() - used
            let (seconds, attoseconds) = began.duration(to: .now).components
            figures.seconds += Double(seconds) + Double(attoseconds) / 1e18
            let type: EventType = step == .yes ? .intentResponded : .promptIssued
            guard asked.allSatisfy({ $0.header(EventHeaderName.type) == type.rawValue }) else {
                throw BenchmarkError("Something else has come than \(type.rawValue).")
            }
        }
        guard asked.allSatisfy(Self.isSuccess) else { throw BenchmarkError("A conversation has failed.") }
        await producer.close()
        return figures
    }

    private static func isSuccess(_ record: LogRecord) -> Bool {
        guard let value = record.value, let data = try? JSONValue(parsing: value) else { return false }
        return data["code"]?.string == "success"
    }

    private func user(_ index: Int) -> UserID { "user-\(index % self.users)" }

    private func request(_ index: Int) -> OutgoingRecord {
        let user = self.user(index)
        return self.record(
            .intentRequested,
            id: "request-\(index)",
            subject: "\(index)",
            user,
            [
                "intent": [
                    "name": .string(GroceryOrder.intentName),
                    "parameters": [
                        "items": ["apples", "milk", "bread", "a dozen eggs"],
                        "note": "Please ring twice; the bell on the left is somebody else's.",
                    ],
                ],
                "user": ["id": user.json, "authorization": "authorized", "authenticated": true],
                "device": ["id": "phone-1", "locked": false, "appVersion": "4.2.1"],
                "locale": "en-US",
            ]
        )
    }

    private func answer(_ step: Step, to prompt: LogRecord) throws -> OutgoingRecord {
        guard let subject = prompt.header(EventHeaderName.subject), let index = Int(subject),
            let value = prompt.value, let id = try JSONValue(parsing: value)["promptId"]
        else { throw BenchmarkError("A prompt cannot be read.") }
        let user = self.user(index)
        var data: JSONObject = ["promptId": id, "action": "accept", "user": ["id": user.json]]
        switch step {
        case .choice: data["choice"] = 1
        case .address: data["value"] = "12 Harbour Street, third floor"
        case .request, .yes: break
        }
        return self.record(.promptAnswered, id: "\(step)-\(index)", subject: "\(index)", user, .object(data))
    }

    private func record(
        _ type: EventType,
        id: String,
        subject: InteractionID,
        _ user: UserID,
        _ data: JSONValue
    ) -> OutgoingRecord {
        let event = Event(
            id: id,
            source: "/benchmark",
            type: type,
            time: Timestamp(milliseconds: 1_795_000_000_000),
            subject: subject,
            userID: user,
            data: data
        )
        return OutgoingRecord(
            topicPartition: TopicPartition(
                Topic.requests.name(prefix: self.deployment.prefix),
                HomePartition.of(user: user, count: self.deployment.partitions)
            ),
            content: event.content
        )
    }
}
