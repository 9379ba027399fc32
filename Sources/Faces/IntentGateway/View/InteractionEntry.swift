internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// What the view has of an interaction: a function of its events, whatever the order in which the topics are read.
///
/// The events of each topic come in their order, and each may come again.
struct InteractionEntry: Hashable, Sendable {
    /// The open prompt.
    struct Prompt: Hashable, Sendable {
        var id: TextMark
        var body: [UInt8]
    }

    /// An answer that is on the log; it may have been rejected.
    struct Answer: Hashable, Sendable {
        /// The event's id.
        var event: TextMark
        var prompt: TextMark
        /// What it says, without the prompt.
        var content: TextMark

        init(event: TextMark, prompt: TextMark, content: TextMark) {
            self.event = event
            self.prompt = prompt
            self.content = content
        }

        /// The answer of an event, and the prompt that it answers.
        init(_ event: Event, to prompt: PromptID) {
            self.event = TextMark(event.id)
            self.prompt = TextMark(prompt.description)
            // A null member counts as absent, and who answers is the interaction's user.
            var members = event.data.object?.filter { !$0.value.isNull } ?? [:]
            members["promptId"] = nil
            members["user"] = nil
            self.content = TextMark(JSONValue.object(members).description)
        }
    }

    /// A cancellation, or a report of the app: a stage has it until it has written something later, or rejected it.
    struct Sent: Hashable, Sendable {
        /// The event's id.
        var event: TextMark
        var at: Timestamp
    }

    /// The most answers that are kept: the latest ones.
    static let answerLimit = 16
    /// The largest size of the activities together; further ones are left out.
    static let activityBytes = 1 << 20

    /// The position of the request.
    let request: RequestPosition
    let name: InteractionName
    var intent: String?
    /// `device.id` and `groupIdentifier` of the request.
    var device: DeviceID?
    var group: String?
    /// The digest of what distinguishes the request from others (R8d); nil where the request was not read.
    var content: String?
    /// When the request was written; nil where it was not read.
    var requestedAt: Timestamp?
    /// The time of the first event that a stage has written.
    var begunAt: Timestamp?
    /// The time of the terminal response.
    var endedAt: Timestamp?
    /// What the latest prompt or response says, while it is not terminal; nil before the first.
    var waiting: InteractionSnapshot.State?
    /// The offsets after the latest events, on each topic; 0 where there is none.
    var requests: Int64 = 0
    var responses: Int64 = 0
    var activities: Int64 = 0
    var prompt: Prompt?
    /// The data of the latest `intent.responded`.
    var response: [UInt8]?
    /// The data of the latest `status.updated`.
    var update: [UInt8]?
    /// The data of the activities, as a JSON array.
    var activityList: [UInt8]?
    var answers: [Answer] = []
    /// The latest cancellation or report.
    var sent: Sent?
    /// The time of the latest prompt or response.
    var saidAt: Timestamp?
    /// The time of the latest event; nil before the first.
    var updatedAt: Timestamp?

    init(_ request: RequestPosition, _ name: InteractionName) {
        self.request = request
        self.name = name
    }

    /// Adds the request itself.
    mutating func add(request event: ViewedEvent, content: String) {
        event.event.fields.withView { data in
            self.intent = data["intent"]?["name"]?.string
            self.device = data["device"]?["id"]?.string.map { DeviceID($0) }
            self.group = data["groupIdentifier"]?.string
        }
        self.content = content
        self.requestedAt = event.writtenAt
        self.update(at: event.writtenAt)
        self.requests = max(self.requests, event.offset + 1)
    }

    /// Adds another event of the user; `prompt` is the prompt that it answers.
    mutating func add(sent event: ViewedEvent, answering prompt: PromptID? = nil) {
        guard event.offset >= self.requests else { return }
        self.requests = event.offset + 1
        self.update(at: event.writtenAt)
        guard let prompt else {
            self.sent = Sent(event: TextMark(event.event.id), at: event.writtenAt)
            return
        }
        self.answers.append(Answer(event.event, to: prompt))
        if self.answers.count > Self.answerLimit { self.answers.removeFirst() }
    }

    /// Adds an event that a stage has written on `responses`.
    mutating func add(response event: ViewedEvent) {
        guard event.offset >= self.responses else { return }
        self.responses = event.offset + 1
        self.update(at: event.event.time)
        self.begunAt = self.begunAt ?? event.event.time
        event.event.fields.withView { data in
            self.intent = self.intent ?? data["intent"]?["name"]?.string
            switch event.event.knownType {
            case .promptIssued: self.issue(data, event)
            case .intentResponded: self.respond(data, event)
            case .statusUpdated: self.update = event.body
            default: break
            }
        }
    }

    private mutating func update(at time: Timestamp) { self.updatedAt = max(self.updatedAt ?? time, time) }

    private mutating func issue(_ data: JSONView, _ event: ViewedEvent) {
        self.saidAt = event.event.time
        guard self.endedAt == nil, let id = data["promptId"]?.string else { return }
        self.prompt = Prompt(id: TextMark(id), body: event.body)
        self.waiting =
            switch data["kind"]?.string.flatMap(PromptKind.init(rawValue:)) {
            case .unlockRequired?: .awaitingUnlock
            case .authenticationRequired?: .awaitingSignIn
            case .needsValue?, .disambiguation?, .confirmationRequired?, .unsupported?, .intentConfirmation?, nil:
                .awaitingUser
            }
    }

    private mutating func respond(_ data: JSONView, _ event: ViewedEvent) {
        self.saidAt = event.event.time
        guard self.endedAt == nil else { return }
        self.prompt = nil
        self.response = event.body
        if data["terminal"]?.bool == true {
            self.endedAt = event.event.time
            self.waiting = nil
        } else if data["code"]?.string == "handleInApp" {
            self.waiting = .awaitingApp
        } else if data["paused"]?["since"]?.string != nil {
            self.waiting = .paused
        } else {
            self.waiting = data["retryUntil"]?.string == nil ? .running : .retrying
        }
    }

    /// Adds a user activity.
    mutating func add(activity event: ViewedEvent) {
        guard event.offset >= self.activities else { return }
        self.activities = event.offset + 1
        self.update(at: event.event.time)
        guard var list = self.activityList else {
            self.activityList = [UInt8(ascii: "[")] + event.body + [UInt8(ascii: "]")]
            return
        }
        guard list.count + event.body.count <= Self.activityBytes else { return }
        list[list.count - 1] = UInt8(ascii: ",")
        list += event.body
        list.append(UInt8(ascii: "]"))
        self.activityList = list
    }

    /// Whether the stages have what was sent last, and have not written anything about it yet: an answer to the open
    /// prompt, a cancellation, or a report of the app.
    func isWithStages(_ rejection: InteractionRejection?) -> Bool {
        func isRejected(_ event: TextMark) -> Bool { rejection?.events.contains(event) ?? false }
        if let sent = self.sent, let saidAt = self.saidAt, sent.at > saidAt, !isRejected(sent.event) { return true }
        guard let prompt = self.prompt else { return false }
        return self.answers.contains { $0.prompt == prompt.id && !isRejected($0.event) }
    }

    /// The interaction as its user sees it.
    func snapshot(_ rejection: InteractionRejection?) -> InteractionSnapshot {
        let rejection = rejection.flatMap { $0.concerns(self) ? $0 : nil }
        let isWithStages = self.isWithStages(rejection)
        let state: InteractionSnapshot.State =
            self.endedAt != nil ? .ended : isWithStages ? .running : self.waiting ?? .queued
        let requestedAt = self.requestedAt ?? self.begunAt ?? Timestamp(milliseconds: 0)
        return InteractionSnapshot(
            id: self.name.id,
            userID: self.name.user,
            request: RequestID("\(self.request.partition):\(self.request.offset)"),
            state: state,
            intent: self.intent,
            device: self.device,
            group: self.group,
            requestedAt: requestedAt,
            updatedAt: max(self.updatedAt ?? requestedAt, rejection?.at ?? requestedAt),
            endedAt: self.endedAt,
            revision: self.requests + max(self.responses, rejection?.next ?? 0) + self.activities,
            prompt: isWithStages ? nil : self.prompt.flatMap { Self.json($0.body) },
            response: self.response.flatMap(Self.json),
            update: self.update.flatMap(Self.json),
            activities: self.activityList.flatMap(Self.json)?.array ?? [],
            rejection: rejection.flatMap { Self.json($0.body) }
        )
    }

    private static func json(_ body: [UInt8]) -> JSONValue? { try? JSONValue(parsing: body) }
}
