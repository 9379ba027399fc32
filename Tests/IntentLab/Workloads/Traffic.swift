internal import IntentEvents
internal import IntentKit
package import IntentRuntime

/// The content of a deployment's topics after some interactions; the same for the same seed.
package struct Traffic {
    package static let prefix = "intents"

    package private(set) var partitions: [TopicPartition: [LogRecord]] = [:]
    private var numbers: SeededNumbers
    private let partitionCount: Int
    private var clock: Int64 = 1_790_000_000_000

    package init(seed: UInt64, interactions: Int, partitions: Int = 3, junk: Bool = true) {
        self.numbers = SeededNumbers(seed: seed)
        self.partitionCount = partitions
        for index in 0..<interactions {
            self.addInteraction(index)
            if junk, index % 4 == 0 { self.addJunk(index) }
        }
    }

    /// All records; each partition's in their order.
    package var records: [LogRecord] { self.partitions.keys.sorted().flatMap { self.partitions[$0] ?? [] } }

    /// All records, the partitions interleaved at random.
    package func interleaved(seed: UInt64) -> [LogRecord] {
        var numbers = SeededNumbers(seed: seed)
        var rest = self.partitions.keys.sorted().map { self.partitions[$0, default: []][...] }
        var woven: [LogRecord] = []
        while !rest.isEmpty {
            let index = rest.indices.randomElement(using: &numbers) ?? 0
            for _ in 0..<Int.random(in: 1...8, using: &numbers) {
                if let record = rest[index].popFirst() { woven.append(record) }
            }
            if rest[index].isEmpty { rest.remove(at: index) }
        }
        return woven
    }

    // MARK: What happens

    private mutating func addInteraction(_ index: Int) {
        let user: UserID = "user-\(index % 7)"
        let partition = HomePartition.of(user: user, count: self.partitionCount)
        let id: InteractionID = "interaction-\(index)"
        let intent = ["INSendMessageIntent", "INRequestRideIntent"][index % 2]
        let snapshot: JSONValue = ["name": .string(intent), "parameters": ["content": .string("h\u{e9}llo \(index)")]]
        let offset = self.add(
            .requests,
            partition,
            .intentRequested,
            user,
            id,
            request: nil,
            data: ["intent": snapshot, "user": ["id": user.json]]
        )
        let request: RequestID = "\(partition):\(offset)"
        let opening = RecordPosition(.requests, partition, offset)
        self.addTurn(.resolve, opening, user, id, request, intent, opened: true, .prompted)
        for prompt in 0..<Int.random(in: 0...3, using: &self.numbers) {
            let promptID = "\(id)/r/\(prompt)"
            let kind = prompt == 2 ? "intentConfirmation" : "needsValue"
            let data: JSONValue = ["promptId": .string(promptID), "kind": .string(kind), "intent": snapshot]
            self.add(.responses, partition, .promptIssued, user, id, request: request, data: data)
            let answer: JSONValue = ["promptId": .string(promptID), "user": ["id": user.json], "action": "accept"]
            let answered = self.add(.requests, partition, .promptAnswered, user, id, request: nil, data: answer)
            let position = RecordPosition(.requests, partition, answered)
            self.addTurn(.resolve, position, user, id, request, intent, opened: false, .prompted)
        }
        let passed = self.add(.resolved, partition, .intentResolved, user, id, request: request, data: snapshot)
        self.addTurn(
            .confirm,
            RecordPosition(.resolved, partition, passed),
            user,
            id,
            request,
            intent,
            opened: false,
            .passed
        )
        // Some are still open at the end.
        guard index % 9 != 8 else { return }
        for isTerminal in [false, true] where isTerminal || index % 3 == 0 {
            let data: JSONValue = [
                "phase": "handle", "terminal": .bool(isTerminal), "code": isTerminal ? "success" : .null,
                "status": isTerminal ? "success" : "inProgress", "endReason": isTerminal ? "nominal" : .null,
                "intent": snapshot,
            ]
            self.add(.responses, partition, .intentResponded, user, id, request: request, data: data)
        }
        let activity: JSONValue = [
            "activityType": .string(intent), "userInfo": ["a": 1],
            "interaction": ["identifier": id.json, "intent": snapshot, "intentHandlingStatus": "success"],
        ]
        self.add(.userActivities, partition, .userActivityCreated, user, id, request: request, data: activity)
        self.addTurn(
            .handle,
            RecordPosition(.confirmed, partition, 0),
            user,
            id,
            request,
            intent,
            opened: false,
            .ended
        )
    }

    private mutating func addTurn(
        _ stage: Stage,
        _ position: RecordPosition,
        _ user: UserID,
        _ id: InteractionID,
        _ request: RequestID,
        _ intent: String,
        opened: Bool,
        _ outcome: TurnOutcome
    ) {
        var turn = TurnDraft(
            stage: stage,
            position: position,
            eventID: "event",
            eventType: "intent.requested",
            userID: user,
            at: Timestamp(milliseconds: self.clock),
            attempt: 1,
            worker: "worker",
            outcome: outcome
        )
        turn.interactionID = id
        turn.request = request
        turn.intentName = intent
        turn.opened = opened
        let record = TurnRecord(turn, generation: 0, eventDigest: "", outputs: [], previousDigest: "")
        let event = record.event(id: "journal-\(self.clock)", source: "test")
        self.append(
            .journal,
            position.partition,
            key: Array(user.utf8),
            value: event.data.utf8,
            headers: event.headers.map { LogHeader($0.name, bytes: $0.value) }
        )
    }

    /// Records that no stage would write, and that a recorder must accept all the same.
    private mutating func addJunk(_ index: Int) {
        let bytes: [UInt8] = [0xFF, 0x00, 0xFE]
        let responses = TopicPartition(Topic.responses.name(prefix: Self.prefix), 0)
        self.append(
            .deadLetters,
            index % self.partitionCount,
            key: bytes,
            value: bytes,
            headers: [
                LogHeader("intentd_error", "malformed"), LogHeader("intentd_error", bytes: bytes),
                LogHeader("kafka_dlt-original-topic", "intents.requests"),
                LogHeader("kafka_dlt-original-partition", bytes: [0, 0, 0, 2]),
                LogHeader("kafka_dlt-original-offset", "\(index)"), LogHeader("x", bytes: nil),
            ]
        )
        self.append(.requests, index % self.partitionCount, key: nil, value: nil, headers: [])
        self.append(.requests, index % self.partitionCount, key: [], value: Array("[1,2".utf8), headers: [])
        let structured = LogHeader("content-type", "application/cloudevents+json")
        self.append(.requests, 0, key: nil, value: Array("[1,2]".utf8), headers: [structured])
        self.append(
            .journal,
            responses.partition,
            key: nil,
            value: Array("{}".utf8),
            headers: [
                LogHeader("ce_type", "turn.journaled"), LogHeader("ce_userid", "u\u{0}v"),
            ]
        )
        // A second opening turn and a second terminal response of one interaction, and one of a request that no turn
        // of `resolve` opened. These never happen, but they must still be recorded in one way only.
        let id: InteractionID = "interaction-\(index)"
        self.addTurn(.resolve, RecordPosition(.requests, 0, 0), "mallory", id, "0:0", "A", opened: true, .ended)
        self.addTurn(.confirm, RecordPosition(.resolved, 0, 0), "mallory", id, "1:999", "A", opened: true, .ended)
        for partition in 0..<self.partitionCount {
            let data: JSONValue = ["terminal": true, "status": "failure", "code": .string("c\(partition)\(index)")]
            self.add(.responses, partition, .intentResponded, "eve-\(partition)", id, request: "0:0", data: data)
            self.add(.responses, partition, .intentResponded, "eve-\(partition)", id, request: "1:999", data: data)
            self.add(.responses, partition, .intentResponded, "eve", id, request: "nowhere", data: data)
        }
    }

    // MARK: Records

    @discardableResult
    private mutating func add(
        _ topic: Topic,
        _ partition: Int,
        _ type: EventType,
        _ user: UserID,
        _ subject: InteractionID,
        request: RequestID?,
        data: JSONValue
    ) -> Int64 {
        self.clock += Int64.random(in: 0...40, using: &self.numbers)
        let event = Event(
            id: "\(topic.rawValue)-\(self.clock)",
            source: "test",
            type: type,
            time: Timestamp(milliseconds: self.clock),
            subject: subject,
            userID: user,
            request: request,
            data: data
        )
        let headers = event.headers.map { LogHeader($0.name, bytes: $0.value) }
        return self.append(topic, partition, key: Array(user.utf8), value: data.utf8, headers: headers)
    }

    @discardableResult
    private mutating func append(
        _ topic: Topic,
        _ partition: Int,
        key: [UInt8]?,
        value: [UInt8]?,
        headers: [LogHeader]
    ) -> Int64 {
        let topicPartition = TopicPartition(topic.name(prefix: Self.prefix), partition)
        // With gaps, as the markers of transactions leave them.
        let last = self.partitions[topicPartition]?.last?.offset ?? -1
        let offset = last + (last % 5 == 3 ? 2 : 1)
        self.partitions[topicPartition, default: []]
            .append(
                LogRecord(
                    topicPartition: topicPartition,
                    offset: offset,
                    timestamp: self.clock,
                    key: key,
                    value: value,
                    headers: headers
                )
            )
        return offset
    }
}
