internal import InMemoryLog
internal import IntentEvents
internal import IntentKit
internal import IntentLab
internal import IntentRuntime
internal import Telemetry

/// Sends the users' events, repeating each until it is acknowledged.
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class Client: @unchecked Sendable {
    private let world: World
    private let process = SimulatedProcess(name: "client", incarnation: 1)
    private var conversations: [InteractionID: SimulatedConversation] = [:]
    private var tasks: [InteractionID: SimulatedTaskUser] = [:]
    private var sequence = 0
    private var unsent = 0
    private var random: SeededNumbers
    private var hostile: HostileClient?
    /// In some seeds, users whose names `String` treats as equal, and who try to use each other's interactions.
    private let twins: [UserID]
    /// In some seeds, when clients of gateways get no reply: they send the same event again, at another replica.
    private var lostReplies: SeededNumbers?

    /// Creates a client that has sent nothing yet.
    init(_ world: World) {
        self.world = world
        self.random = SeededNumbers(seed: world.seed, stream: 5)
        // Random numbers of their own, so that the other seeds stay as they are.
        var numbers = SeededNumbers(seed: world.seed, stream: 7)
        self.twins = numbers.happens(0.25) ? ["Kim", "\u{212A}im", "s\u{E9}an", "se\u{301}an"] : []
        var replies = SeededNumbers(seed: world.seed, stream: 9)
        self.lostReplies = replies.happens(0.3) ? replies : nil
    }

    /// The user whose name looks like this one; nil when there is none.
    func twin(of user: UserID) -> UserID? {
        self.twins.firstIndex(of: user).map { self.twins[$0 ^ 1] }
    }

    /// Whether users set conversations aside, which needs format 2.
    var setsAside: Bool { self.world.plan.asksBack }

    /// The interactions that were requested.
    var subjects: [InteractionID] { self.conversations.keys.sorted() + self.tasks.keys.sorted() }

    /// Whether everything has been sent.
    var hasSentAll: Bool { self.unsent == 0 }

    /// Begins all interactions of the seed.
    func begin() {
        for number in 0..<self.world.plan.interactions {
            let index = Int.random(in: 0..<self.world.plan.users, using: &self.random)
            let user = self.twins.isEmpty ? "u\(index)" : self.twins[index % self.twins.count]
            let numbers = SeededNumbers(seed: self.world.seed, stream: 100 + UInt64(number))
            let others = SeededNumbers(seed: self.world.seed, stream: 1_000 + UInt64(number))
            let conversation = SimulatedConversation(
                number: number,
                user: user,
                client: self,
                random: numbers,
                others: others
            )
            self.conversations[conversation.subject] = conversation
            conversation.begin()
        }
        for number in 0..<self.world.plan.tasks {
            let random = SeededNumbers(seed: self.world.seed, stream: 2_000 + UInt64(number))
            self.beginTask("t\(number)", of: "u\(number % self.world.plan.users)", random: random)
        }
        guard self.world.isHostile else { return }
        let hostile = HostileClient(self.world) { [unowned self] record in
            self.unsent += 1
            _ = self.world.scheduler.spawn(in: self.process) { await self.deliver(record) }
        }
        self.hostile = hostile
        hostile.begin()
    }

    /// Begins a long task.
    ///
    /// - Parameters:
    ///   - subject: Its id.
    ///   - user: Its user.
    ///   - random: What the user wants is drawn from these numbers.
    ///   - aside: The prompt of another conversation that is set aside for it.
    func beginTask(
        _ subject: InteractionID,
        of user: UserID,
        random: SeededNumbers,
        settingAside aside: String? = nil
    ) {
        var random = random
        let script = self.world.crashScript
        let start = aside == nil && script == nil ? random.duration(upTo: .seconds(7)) : .zero
        let task = SimulatedTaskUser(subject: subject, user: user, client: self, random: random, script: script)
        self.tasks[subject] = task
        task.begin(after: start, settingAside: aside)
    }

    /// Receives an event of `responses`.
    func receive(_ event: Event) {
        self.world.trace.record(
            "reads \(event.type) \(event.subject ?? "") \(event.data["promptId"]?.string ?? "") "
                + "\(event.data["reason"]?.string ?? event.data["endReason"]?.string ?? "")"
        )
        if let subject = event.subject {
            self.conversations[subject]?.receive(event)
            // What follows from a task has its id, and a plus sign.
            self.tasks[InteractionID(String(subject.text.prefix { $0 != "+" }))]?.receive(event)
        }
        self.hostile?.receive(event)
    }

    /// Forgets all conversations.
    func end() {
        self.conversations = [:]
        self.tasks = [:]
        self.hostile = nil
    }

    /// An event as clients write them.
    func event(
        _ type: EventType,
        user: UserID,
        subject: InteractionID? = nil,
        _ data: JSONObject
    ) -> Event {
        self.sequence += 1
        var data = data
        data["user"] = ["id": user.json]
        return Event(
            id: "c\(self.sequence)",
            source: "/simulation",
            type: type,
            time: Timestamp(milliseconds: ProcessClock.beginning + self.world.scheduler.now / 1_000),
            subject: subject,
            userID: user,
            passedThrough: self.headers,
            data: .object(data)
        )
    }

    /// The headers of the next event: every other one comes with a trace of its client's.
    private var headers: [String: String] {
        guard self.sequence.isMultiple(of: 2) else { return [:] }
        return TraceContext(deployment: "client", position: String(self.sequence)).headers
    }

    /// Sends an event some time later, to its user's partition or to a wrong one; its key may name another user.
    func send(_ event: Event, after delay: Duration, isAstray: Bool = false, key: UserID? = nil) {
        let count = self.world.plan.partitions
        var partition = HomePartition.of(user: event.userID, count: count)
        if isAstray { partition = (partition + 1) % count }
        let firstID = event.id
        var (event, delay) = (event, delay)
        var pause = Duration.milliseconds(100)
        var repetition = 0
        repeat {
            let record = OutgoingRecord(
                topicPartition: TopicPartition(Topic.requests.name(prefix: "intents"), partition),
                key: Array((key ?? event.userID).utf8),
                value: event.data.utf8,
                headers: event.headers
            )
            self.unsent += 1
            let sent = event
            self.world.scheduler.at(delay) {
                self.world.trace.record(
                    "\(sent.userID) sends \(sent.id) \(sent.type) \(sent.subject ?? "") \(sent.data)"
                )
                _ = self.world.scheduler.spawn(in: self.process) { await self.deliver(record) }
            }
            delay += pause
            pause *= 2
            // The key of a request is the interaction's id: each replica writes it as an event of its own.
            repetition += 1
            if event.knownType == .intentRequested { event.id = "\(firstID)-\(repetition)" }
        } while self.lostReplies?.happens(0.3) == true
    }

    private func deliver(_ record: OutgoingRecord) async {
        while true {
            do throws(LogError) {
                let connection = Connection(world: self.world, process: self.process)
                let producer = SimulatedProducer(
                    producer: try await self.world.log.makeProducer(),
                    connection: connection
                )
                _ = try await producer.send([record])
                break
            } catch {
                guard error.isRetriable else { break }
                self.world.trace.record("sends again: \(error)")
            }
        }
        self.unsent -= 1
    }
}
