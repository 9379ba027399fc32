import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime

/// Events of users' interactions as the topics may hold them, from a seed; and what follows from them, worked out in
/// another way than the view does: from all events of an interaction at once.
struct RandomHistory {
    /// An event with its place.
    struct Entry {
        var topic: Topic
        var record: OutgoingRecord
        var event: Event
        var offset: Int64
    }

    private(set) var entries: [Entry] = []
    let deployment: Deployment
    private var numbers: SeededNumbers
    private var ends: [TopicPartition: Int64] = [:]
    private var time: Int64 = 1_700_000_000_000

    private struct Open {
        var user: UserID
        var id: InteractionID
        var request: RequestID
        var prompts = 0
        var open: PromptID?
    }

    init(seed: UInt64, events: Int, deployment: Deployment, prefix: String = "i") {
        self.deployment = deployment
        self.numbers = SeededNumbers(seed: seed)
        var open: [Open] = []
        var number = 0
        while self.entries.count < events {
            self.time += Int64(self.numbers.below(2_000))
            if open.isEmpty || self.numbers.oneIn(4) {
                number += 1
                let user = UserID("u\(self.numbers.below(5))")
                let id = InteractionID("\(prefix)\(number)")
                let offset = self.add(.requests, .intentRequested, user, id, nil, ["intent": ["name": "Lunch"]])
                open.append(Open(user: user, id: id, request: "\(deployment.home(of: user)):\(offset)"))
                // The client sends it again.
                if self.numbers.oneIn(5) {
                    self.add(.requests, .intentRequested, user, id, nil, ["intent": ["name": "Lunch"]])
                }
                continue
            }
            let index = self.numbers.below(open.count)
            if self.step(&open[index]) { open.remove(at: index) }
        }
    }

    /// One more event of an interaction; true when it has ended.
    private mutating func step(_ open: inout Open) -> Bool {
        switch self.numbers.below(8) {
        case 0, 1:
            open.prompts += 1
            let id = PromptID(interaction: open.id, stage: self.numbers.pick(Stage.allCases), number: open.prompts)
            open.open = id
            let kind = self.numbers.pick(["needsValue", "unlockRequired", "authenticationRequired"])
            let data: JSONValue = ["promptId": id.json, "kind": .string(kind), "intent": ["name": "Lunch"]]
            self.add(.responses, .promptIssued, open.user, open.id, open.request, data)
        case 2, 3:
            guard let prompt = open.open else { return false }
            let data: JSONValue = ["promptId": prompt.json, "value": "x"]
            self.add(.requests, .promptAnswered, open.user, self.numbers.coin() ? open.id : nil, nil, data)
            let answer = self.entries[self.entries.count - 1].event.id
            if self.numbers.oneIn(3) {
                let data: JSONValue = ["eventId": .string(answer), "reason": "invalid", "detail": "No."]
                self.add(.responses, .eventRejected, open.user, open.id, nil, data)
            }
        case 4:
            open.open = nil
            var data: JSONObject = ["terminal": false, "code": self.numbers.coin() ? "inProgress" : "handleInApp"]
            if self.numbers.oneIn(3) { data["retryUntil"] = "2026-01-01T00:00:00.000Z" }
            if data["code"] == "inProgress", self.numbers.oneIn(3) {
                data["paused"] = ["since": "2026-01-01T00:00:00.000Z"]
            }
            self.add(.responses, .intentResponded, open.user, open.id, open.request, .object(data))
        case 5: self.add(.userActivities, .userActivityCreated, open.user, open.id, open.request, ["title": "t"])
        case 6: self.add(.requests, .interactionCancelled, open.user, open.id, nil, [:])
        default:
            self.add(
                .responses,
                .intentResponded,
                open.user,
                open.id,
                open.request,
                ["terminal": true, "code": "success"]
            )
            if self.numbers.oneIn(3) {
                self.add(.responses, .statusUpdated, open.user, open.id, open.request, ["response": [:]])
            }
            return true
        }
        return false
    }

    @discardableResult
    private mutating func add(
        _ topic: Topic,
        _ type: EventType,
        _ user: UserID,
        _ id: InteractionID?,
        _ request: RequestID?,
        _ data: JSONValue
    ) -> Int64 {
        let partition = self.deployment.topicPartition(topic, self.deployment.home(of: user))
        let offset = self.ends[partition, default: 0]
        self.ends[partition] = offset + 1
        let event = Event(
            id: "e\(self.entries.count)",
            source: "/tests",
            type: type,
            time: Timestamp(milliseconds: self.time),
            subject: id,
            userID: user,
            request: request,
            data: data
        )
        let record = OutgoingRecord(topicPartition: partition, timestamp: self.time, content: event.content)
        self.entries.append(Entry(topic: topic, record: record, event: event, offset: offset))
        return offset
    }

    // MARK: What follows

    /// What a client should see of an interaction.
    struct Expected: Hashable {
        var state: String
        var revision: Int64
        var prompt: JSONValue?
        var response: JSONValue?
        var activities: Int
        var rejected: JSONValue?
    }

    /// What follows from the events of each interaction.
    var expected: [String: Expected] {
        var byID: [String: [Entry]] = [:]
        for entry in self.entries {
            let prompt = entry.event.data["promptId"]?.string.flatMap { PromptID($0) }
            guard let id = entry.event.subject ?? prompt?.interaction else { continue }
            byID[id.text, default: []].append(entry)
        }
        return byID.mapValues(Self.expected)
    }

    private static func expected(_ entries: [Entry]) -> Expected {
        let responses = entries.filter { $0.topic == .responses }
        let told = responses.filter { [.promptIssued, .intentResponded].contains($0.event.knownType) }.last
        let rejected = Set(responses.compactMap { $0.event.data["eventId"]?.string })
        let last = told?.event.data
        var state = "queued"
        var prompt = last?["promptId"] == nil ? nil : last
        if let open = prompt {
            let isAnswered = entries.contains { entry in
                entry.event.knownType == .promptAnswered && entry.event.data["promptId"] == open["promptId"]
                    && !rejected.contains(entry.event.id)
            }
            let kinds = ["unlockRequired": "awaitingUnlock", "authenticationRequired": "awaitingSignIn"]
            state = isAnswered ? "running" : kinds[open["kind"]?.string ?? ""] ?? "awaitingUser"
            if isAnswered { prompt = nil }
        } else if let last {
            state =
                last["terminal"] == true
                ? "ended"
                : last["code"] == "handleInApp"
                    ? "awaitingApp"
                    : last["paused"] != nil ? "paused" : last["retryUntil"] == nil ? "running" : "retrying"
        }
        // A cancellation is with the stages until they have written something later.
        if let cancelled = entries.last(where: { $0.event.knownType == .interactionCancelled }), let told,
            cancelled.event.time > told.event.time, state != "ended"
        {
            state = "running"
            prompt = nil
        }
        // A repeated request changes nothing.
        let counted = entries.enumerated()
            .filter { index, entry in
                entry.event.knownType != .intentRequested || index == 0
            }
            .map(\.element)
        let revision = [Topic.requests, .responses, .userActivities]
            .map { topic in (counted.last { $0.topic == topic }?.offset ?? -1) + 1 }
            .reduce(0, +)
        return Expected(
            state: state,
            revision: revision,
            prompt: prompt,
            response: responses.last { $0.event.knownType == .intentResponded }?.event.data,
            activities: entries.count { $0.topic == .userActivities },
            rejected: responses.last { $0.event.knownType == .eventRejected }?.event.data
        )
    }
}
