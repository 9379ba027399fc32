internal import InMemoryLog
internal import IntentEvents
internal import IntentKit
internal import IntentRuntime
internal import IntentLab

/// Writes to `requests` what no client should write, in the names of users with ongoing conversations.
///
/// It writes events with extreme values, records that are not events, and records that are larger than any topic
/// accepts (as compressed ones are once they are read). It also writes bursts behind a slow handler, and answers to
/// open prompts with numbers that no prompt has. All other users must be answered as always.
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class HostileClient: @unchecked Sendable {
    /// The prefix of the subjects of its events.
    static let prefix = "hostile-"
    /// The limit of `requests`, which admits what is compressed on a real log.
    static let maximumRequestBytes = 64 << 20

    private let world: World
    private let send: (OutgoingRecord) -> Void
    private var random: SeededNumbers
    private var maker: EventMaker
    private var count = 0
    private var largeOnes = 0

    /// Creates a client that has written nothing yet; `send` writes a record some time later.
    init(_ world: World, send: @escaping (OutgoingRecord) -> Void) {
        self.world = world
        self.send = send
        self.random = SeededNumbers(seed: world.seed, stream: 6)
        self.maker = EventMaker(seed: world.seed)
        self.maker.users = (0..<world.plan.users).map { "u\($0)" } + ["u0\u{301}", "\u{212A}im", "Kim"]
    }

    /// Plans the writes.
    func begin() {
        for _ in 0..<Int.random(in: 3...8, using: &self.random) {
            self.world.scheduler.at(.milliseconds(Int64.random(in: 0...9_000, using: &self.random))) { self.strike() }
        }
    }

    /// Receives an event of `responses`, and may answer its prompt with the number of another prompt.
    func receive(_ event: Event) {
        guard event.knownType == .promptIssued, let id = event.data["promptId"]?.string,
            let slash = id.lastIndex(of: "/"), self.random.happens(0.4)
        else { return }
        let numbers = ["-9223372036854775808", "-1", "0", "9223372036854775807", "9223372036854775808", "2147483648"]
        let data: JSONValue = [
            "promptId": .string(id[...slash] + self.random.pick(numbers)), "value": "v",
            "user": ["id": event.userID.json],
        ]
        self.write(user: event.userID.text, type: EventType.promptAnswered.rawValue, value: data.utf8)
    }

    private func strike() {
        let user = self.random.pick(self.maker.users)
        switch Int.random(in: 0..<6, using: &self.random) {
        case 0 where self.largeOnes < 1:
            self.largeOnes += 1
            let size = self.random.pick([900_000, 4_195_000])
            if self.random.coin() {
                self.write(user: user, value: Array(repeating: UInt8(ascii: "x"), count: size))
            } else {
                let header = LogHeader("x", bytes: Array(repeating: 0, count: size))
                self.write(user: user, headers: [header], value: Array("{}".utf8))
            }
        case 1, 2:
            // A slow one, and behind it more than may wait, some of it no event.
            let request: JSONValue = [
                "intent": [
                    "name": .string(SimulatedIntent.intentName),
                    "parameters": ["name": "n", "item": "i", "script": "2500,0,2500;0;none;0;success;false;false"],
                ]
            ]
            for number in 0..<Int.random(in: 2...6, using: &self.random) {
                self.write(user: user, value: number % 2 == 0 ? request.utf8 : Array("{".utf8))
            }
        case 3: self.write(user: user, value: [0xFF, 0, 0x7B])
        default:
            let event = self.maker.event()
            self.write(user: event.user, headers: event.record.headers, value: event.record.value)
        }
    }

    /// Writes a record, to its user's partition or to another one.
    private func write(
        user: String,
        type: String = EventType.intentRequested.rawValue,
        headers: [LogHeader] = [],
        value: [UInt8]
    ) {
        self.count += 1
        let partitions = self.world.plan.partitions
        let home = HomePartition.of(user: UserID(user), count: partitions)
        let partition = self.random.happens(0.3) ? (home + 1) % partitions : home
        // The last of a name counts, so its own subjects come last.
        let own = [
            LogHeader(EventHeaderName.id, "\(Self.prefix)\(self.count)"),
            LogHeader(EventHeaderName.subject, "\(Self.prefix)\(self.count)"),
        ]
        var record = OutgoingRecord(
            topicPartition: TopicPartition(Topic.requests.name(prefix: "intents"), partition),
            key: Array(user.utf8),
            value: value,
            headers: headers + own
        )
        if !headers.contains(where: { $0.name == EventHeaderName.type }) {
            record.headers.append(LogHeader(EventHeaderName.type, type))
            record.headers.append(LogHeader(EventHeaderName.userID, user))
        }
        self.world.trace.record("writes what is hostile: \(own[0].text ?? "") of \(user), \(value.count) bytes")
        self.send(record)
    }
}
