#if DEBUG || FUZZING
@testable import IntentEvents
import IntentEvents
@testable import IntentKit
@testable import IntentRuntime
@testable import IntentLab

/// What one input has written so far: records in flight, state, and the prompts' users.
struct FuzzedPartition {
    /// The number of records that went to clients or to dead letters.
    private(set) var answers = 0
    /// The prompts that were issued, with their users.
    var prompts: [(id: String, user: String)] = []
    /// The user of the last event that had one.
    var lastUser: UserID?
    private let tables = Dictionary(uniqueKeysWithValues: Stage.allCases.map { ($0, StateTable()) })
    private var chains: [Stage: String] = [:]
    private var queue: [(stage: Stage, record: StoredRecord)] = []
    private var offsets: [Topic: Int64] = [:]
    private var users: Set<UserID> = []
    private var ends: [RequestID: Int] = [:]
    private var requests: Set<RequestID> = []
    private var check = WireCheck()

    /// A stage's state.
    func state(of stage: Stage) -> StateTable { self.tables[stage] ?? StateTable() }

    /// The next record for a stage.
    mutating func next() -> (stage: Stage, record: StoredRecord)? {
        self.queue.isEmpty ? nil : self.queue.removeFirst()
    }

    /// Writes the result of a turn, as its batch would; the journal comes last.
    mutating func commit(_ result: TurnResult, _ environment: StageEnvironment) -> [OutgoingRecord] {
        let stage = environment.stage
        var assembler = TurnAssembler(environment: environment, partition: 0, chain: self.chains[stage] ?? "")
        assembler.append(result, generation: 0)
        self.chains[stage] = assembler.chain
        let user = result.record.userID
        self.users.insert(user)
        for (name, value) in result.writes { self.state(of: stage).set(name, user: user, entry: value) }
        if result.record.opened, let request = result.record.request { self.requests.insert(request) }
        for record in assembler.records { self.route(record) }
        return assembler.records
    }

    private mutating func route(_ record: OutgoingRecord) {
        guard let topic = Topic(name: record.topicPartition.topic, prefix: "intents") else { return }
        let stage: Stage?
        switch topic {
        case .resolved: stage = .confirm
        case .confirmed: stage = .handle
        case .signals: stage = record.headers.last { $0.name == EventHeaderName.stage }?.text.flatMap(Stage.init)
        case .responses, .deadLetters:
            self.answers += 1
            stage = nil
        case .requests, .userActivities, .journal, .state: stage = nil
        }
        guard let stage else { return }
        self.offsets[topic, default: -1] += 1
        let read = LogRecord(
            topicPartition: record.topicPartition,
            offset: self.offsets[topic] ?? 0,
            timestamp: 1_795_000_000_000,
            key: record.key,
            value: record.value,
            headers: record.headers
        )
        self.queue.append((stage, StoredRecord(read, topic: topic)))
    }

    /// Notes a response; returns whether it is a terminal one.
    mutating func recordResponse(_ record: OutgoingRecord) throws -> Bool {
        guard let json = record.value.flatMap({ try? JSONValue(parsing: $0) }), json["terminal"] == true,
            let request = record.headers.first(where: { $0.name == EventHeaderName.request })?.text
                .map({ RequestID($0) })
        else { return false }
        self.ends[request, default: 0] += 1
        guard self.ends[request] == 1 else {
            throw FuzzedStages.Defect(description: "\(request) has a second terminal response")
        }
        return true
    }

    /// Every interaction has ended or has one owner (R9, R12).
    func checkOwners() throws {
        var owners: [RequestID: Int] = [:]
        for table in self.tables.values {
            for user in self.users {
                for name in table.names(prefix: StateName.interactions, user: user) {
                    owners[RequestID(String(name.text.dropFirst(StateName.interactions.utf8.count))), default: 0] += 1
                }
            }
        }
        for request in self.requests {
            let count = (owners[request] ?? 0) + (self.ends[request] ?? 0)
            guard count == 1 else {
                throw FuzzedStages.Defect(
                    description: "\(request) has \(self.ends[request] ?? 0) ends and \(owners[request] ?? 0) owners"
                )
            }
        }
    }

    /// What does not match the schemas.
    mutating func problem(with record: OutgoingRecord, of topic: Topic) -> String? {
        let read = LogRecord(
            topicPartition: record.topicPartition,
            offset: 0,
            timestamp: 0,
            key: record.key,
            value: record.value,
            headers: record.headers
        )
        self.check.observe(read, of: topic)
        return self.check.defects.first?.description
    }
}
#endif
