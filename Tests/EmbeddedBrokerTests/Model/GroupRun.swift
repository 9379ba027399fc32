import IntentLab
import NIOCore

@testable import EmbeddedBroker

/// A consumer group whose members join, leave and return, compared with what KIP-62, KIP-345, KIP-394 and KIP-447 say
/// about generations, leaders, fencing and commits.
struct GroupRun {
    /// A member's own view of itself; each has a connection of its own, since a join blocks it.
    private struct Member {
        var client: WireClient
        var instance: Name?
        var id: Name = ""
        var generation: Int32 = -1
        var assignment = ""
    }

    private let clients: [WireClient]
    private let prefix: String
    private var run: ModelRun
    private var members: [Member] = []
    private var generation: Int32 = 0
    private var committed: Int64 = -1
    /// Former ids: of members that left, and of static ones that came back.
    private var formerIDs: [Name] = []
    private var fenced: [(id: Name, instance: Name)] = []

    private var group: Name { "\(self.prefix)-group" }
    private var topic: Name { "\(self.prefix)-read" }
    private static let instances: [Name] = ["i1", "i2"]

    /// Runs this many steps with names of this prefix, over connections that nothing else uses.
    static func compare(_ clients: [WireClient], prefix: String, seed: UInt64, steps: Int) async throws {
        var run = GroupRun(clients: clients, prefix: prefix, run: ModelRun(seed: seed))
        try await run.prepare()
        for _ in 0..<steps { try await run.step() }
    }

    private init(clients: [WireClient], prefix: String, run: ModelRun) {
        self.clients = clients
        self.prefix = prefix
        self.run = run
    }

    private mutating func prepare() async throws {
        let client = self.clients[0]
        let request = CreateTopicsRequest(topics: [.init(name: self.topic, numPartitions: 1, replicationFactor: 1)])
        _ = try await client.ask(.createTopics, request, CreateTopicsResponse.self)
        _ = try await ModelRun.settled(\FindCoordinatorResponse.errorCode) { [group] in
            let request = FindCoordinatorRequest(key: group, keyType: 0)
            return try await client.ask(.findCoordinator, request, FindCoordinatorResponse.self)
        }
        try await self.join()
    }

    private mutating func step() async throws {
        switch self.run.numbers.below(12) {
        case 0, 1: try await self.join()
        case 2: try await self.leave()
        case 3, 4: try await self.comeBack()
        case 5, 6: try await self.heartbeats()
        case 7: try await self.commitInTransaction()
        default: try await self.commit()
        }
    }

    private mutating func freeClient() -> WireClient? {
        self.clients.first { client in !self.members.contains { $0.client === client } }
    }

    // MARK: Coming and going

    private mutating func join() async throws {
        guard let client = self.freeClient() else { return try await self.leave() }
        let free = Self.instances.filter { name in !self.members.contains { $0.instance == name } }
        var member = Member(client: client, instance: self.run.numbers.oneIn(2) ? free.first : nil)
        self.run.record("join \(member.instance?.text ?? "without a name")")
        if member.instance == nil {
            let answer = try await ModelRun.settled(\JoinGroupResponse.errorCode) { [self] in
                try await self.askToJoin(member)
            }
            try self.run.expect(answer.errorCode, among: [.memberIDRequired])
            member.id = answer.memberID
        }
        try await self.rebalance(newcomer: member)
    }

    private func askToJoin(_ member: Member) async throws -> JoinGroupResponse {
        let request = JoinGroupRequest(
            groupID: self.group,
            sessionTimeoutMs: 30_000,
            rebalanceTimeoutMs: 30_000,
            memberID: member.id,
            groupInstanceID: member.instance,
            // Not "consumer": Kafka would look for topics in the members' subscriptions.
            protocolType: "model",
            protocols: [.init(name: "range", metadata: ByteBuffer(string: member.instance?.text ?? "dynamic"))]
        )
        return try await member.client.ask(.joinGroup, request, JoinGroupResponse.self)
    }

    /// Makes all members join again, after one has joined or left.
    private mutating func rebalance(newcomer: Member?) async throws {
        let before = self.members
        guard !before.isEmpty || newcomer != nil else { return }
        var joined: [Member] = []
        let answers = try await withThrowingTaskGroup(of: (Int, JoinGroupResponse).self) { [self] tasks in
            if let newcomer {
                tasks.addTask {
                    let answer = try await ModelRun.settled(\JoinGroupResponse.errorCode) {
                        try await self.askToJoin(newcomer)
                    }
                    return (before.count, answer)
                }
            }
            for (index, member) in before.enumerated() {
                // A member that asks before the group has begun to rebalance gets the old state.
                let code = try await ModelRun.eventually(
                    { $0 == .rebalanceInProgress },
                    {
                        try await self.heartbeat(member)
                    }
                )
                try self.run.expect(code, among: [.rebalanceInProgress])
                tasks.addTask { (index, try await self.askToJoin(member)) }
            }
            var answers: [Int: JoinGroupResponse] = [:]
            for try await (index, answer) in tasks { answers[index] = answer }
            return answers
        }
        let everybody = before + (newcomer.map { [$0] } ?? [])
        for (index, member) in everybody.enumerated() {
            guard let answer = answers[index] else { continue }
            try self.run.expect(answer.errorCode, among: [.none])
            var member = member
            if !member.id.isEmpty, answer.memberID != member.id {
                throw self.run.mismatch("\(member.id) got another id")
            }
            member.id = answer.memberID
            member.generation = answer.generationID
            joined.append(member)
        }
        let generations = Set(joined.map(\.generation))
        guard generations.count == 1, let generation = generations.first, generation > self.generation else {
            throw self.run.mismatch("generations \(generations) behind \(self.generation)")
        }
        self.generation = generation
        let leaders = Set(answers.values.map(\.leader))
        guard leaders.count == 1, let leader = leaders.first, joined.contains(where: { $0.id == leader }) else {
            throw self.run.mismatch("leaders \(leaders)")
        }
        for answer in answers.values {
            let listed = Set(answer.members.map(\.memberID))
            let wanted = answer.memberID == leader ? Set(joined.map(\.id)) : []
            guard listed == wanted else {
                throw self.run.mismatch("\(answer.memberID) gets \(listed), not \(wanted)")
            }
        }
        self.members = joined
        // Between the join and the leader's assignment no member may commit (KIP-62's CompletingRebalance).
        let code = try await self.commit(7, by: joined[0], generation: generation)
        try self.run.expect(code, among: [.rebalanceInProgress])
        try await self.assign(leader: leader)
    }

    private mutating func assign(leader: Name) async throws {
        for index in self.members.indices {
            self.members[index].assignment = "\(self.members[index].instance ?? "dynamic") in \(self.generation)"
        }
        let answers = try await withThrowingTaskGroup(of: (Member, SyncGroupResponse).self) { [self] tasks in
            for member in self.members {
                tasks.addTask { (member, try await self.sync(member, isLeader: member.id == leader)) }
            }
            return try await tasks.reduce(into: []) { $0.append($1) }
        }
        for (member, answer) in answers { try self.check(answer, of: member) }
    }

    private func check(_ answer: SyncGroupResponse, of member: Member) throws {
        try self.run.expect(answer.errorCode, among: [.none])
        let assignment = String(buffer: answer.assignment)
        guard assignment == member.assignment else {
            throw self.run.mismatch("\(member.id) is assigned \(assignment), not \(member.assignment)")
        }
    }

    private func sync(_ member: Member, isLeader: Bool) async throws -> SyncGroupResponse {
        let request = SyncGroupRequest(
            groupID: self.group,
            generationID: member.generation,
            memberID: member.id,
            groupInstanceID: member.instance,
            assignments: isLeader
                ? self.members.map { .init(memberID: $0.id, assignment: ByteBuffer(string: $0.assignment)) } : []
        )
        return try await member.client.ask(.syncGroup, request, SyncGroupResponse.self)
    }

    private mutating func leave() async throws {
        guard !self.members.isEmpty else { return }
        let index = self.run.numbers.below(self.members.count)
        let member = self.members.remove(at: index)
        self.run.record("leave \(member.id)")
        let leaving = LeaveGroupRequest.Member(
            memberID: member.instance == nil ? member.id : "",
            groupInstanceID: member.instance
        )
        let request = LeaveGroupRequest(groupID: self.group, members: [leaving])
        let answer = try await member.client.ask(.leaveGroup, request, LeaveGroupResponse.self)
        try self.run.expect(answer.members.first?.errorCode ?? answer.errorCode, among: [.none])
        self.formerIDs.append(member.id)
        let again = try await member.client.ask(.leaveGroup, request, LeaveGroupResponse.self)
        try self.run.expect(again.members.first?.errorCode ?? again.errorCode, among: [.unknownMemberID])
        try await self.rebalance(newcomer: nil)
    }

    /// A static member restarts: it gets a new id and its old assignment, the others notice nothing, and its old id is
    /// fenced (KIP-345).
    private mutating func comeBack() async throws {
        guard let index = self.members.firstIndex(where: { $0.instance != nil }) else { return }
        var member = self.members[index]
        self.run.record("come back \(member.instance ?? "") (\(member.id))")
        let former = member.id
        member.id = ""
        let answer = try await self.askToJoin(member)
        try self.run.expect(answer.errorCode, among: [.none])
        guard answer.memberID != former, answer.generationID == self.generation else {
            throw self.run.mismatch("\(former) comes back as \(answer.memberID) in \(answer.generationID)")
        }
        member.id = answer.memberID
        self.members[index] = member
        if let instance = member.instance { self.fenced.append((former, instance)) }
        try self.check(try await self.sync(member, isLeader: false), of: member)
        for other in self.members { try self.run.expect(try await self.heartbeat(other), among: [.none]) }
    }

    // MARK: Heartbeats and commits

    private func heartbeat(_ member: Member, generation: Int32? = nil) async throws -> ErrorCode {
        let request = HeartbeatRequest(
            groupID: self.group,
            generationID: generation ?? member.generation,
            memberID: member.id,
            groupInstanceID: member.instance
        )
        return try await member.client.ask(.heartbeat, request, HeartbeatResponse.self).errorCode
    }

    /// A sender that is not a member, or belongs to another generation, and the error that it gets.
    private mutating func stranger(_ member: Member) -> (Member, ErrorCode) {
        var stranger = member
        switch self.run.numbers.below(4) {
        case 0:
            stranger.generation -= 1
            return (stranger, .illegalGeneration)
        case 1:
            stranger.instance = nil
            stranger.id = self.formerIDs.randomElement(using: &self.run.numbers) ?? "nobody"
            return (stranger, .unknownMemberID)
        case 2:
            let known = self.fenced.filter { former in self.members.contains { $0.instance == former.instance } }
            guard let former = known.randomElement(using: &self.run.numbers) else { return (member, .none) }
            (stranger.id, stranger.instance) = (former.id, former.instance)
            return (stranger, .fencedInstanceID)
        default:
            return (member, .none)
        }
    }

    private mutating func heartbeats() async throws {
        guard let member = self.members.randomElement(using: &self.run.numbers) else { return }
        let (stranger, code) = self.stranger(member)
        self.run.record("heartbeat \(stranger.id) \(stranger.generation)")
        try self.run.expect(try await self.heartbeat(stranger), among: [code])
    }

    private func commit(_ offset: Int64, by member: Member, generation: Int32) async throws -> ErrorCode {
        let request = OffsetCommitRequest(
            groupID: self.group,
            generationID: generation,
            memberID: member.id,
            groupInstanceID: member.instance,
            topics: [.init(name: self.topic, partitions: [.init(partitionIndex: 0, offset: offset, metadata: "")])]
        )
        return try await member.client.ask(.offsetCommit, request, OffsetCommitResponse.self)
            .topics[0].partitions[0].errorCode
    }

    private mutating func commit() async throws {
        let offset = Int64(self.run.numbers.below(1_000))
        if let member = self.members.randomElement(using: &self.run.numbers) {
            let (stranger, code) = self.stranger(member)
            self.run.record("commit \(offset) by \(stranger.id) \(stranger.generation)")
            let answer = try await self.commit(offset, by: stranger, generation: stranger.generation)
            try self.run.expect(answer, among: [code])
            if code == .none { self.committed = offset }
            // Without a group's metadata, a commit is only allowed when the group has no members.
            let alone = try await self.commit(offset, by: Member(client: member.client), generation: -1)
            try self.run.expect(alone, among: [.unknownMemberID])
        } else {
            self.run.record("commit \(offset) without members")
            let code = try await self.commit(offset, by: Member(client: self.clients[0]), generation: -1)
            try self.run.expect(code, among: [.none])
            self.committed = offset
        }
        try await self.compareOffset()
    }

    private func compareOffset() async throws {
        let request = OffsetFetchRequest(
            groupID: self.group,
            topics: [.init(name: self.topic, partitionIndexes: [0])],
            requireStable: true
        )
        let committed = self.committed
        // While the markers of an aborted transaction are still being written, the answer is an error and an offset of
        // -1.
        let answer = try await ModelRun.eventually(
            { $0.topics.first?.partitions.first.map { $0.offset == committed && $0.errorCode == .none } == true },
            {
                [client = self.clients[0]] in try await client.ask(.offsetFetch, request, OffsetFetchResponse.self)
            }
        )
        guard let seen = answer.topics.first?.partitions.first, seen.offset == committed, seen.errorCode == .none else {
            throw self.run.mismatch("the offset is \(answer.topics), the model says \(committed)")
        }
    }

    /// A transaction commits for the group, with the metadata of a current or a former member (KIP-447).
    private mutating func commitInTransaction() async throws {
        guard let member = self.members.randomElement(using: &self.run.numbers) else { return }
        let (stranger, code) = self.stranger(member)
        let offset = Int64(self.run.numbers.below(1_000))
        let isCommit = !self.run.numbers.oneIn(3)
        self.run.record("commit \(offset) in a transaction by \(stranger.id) \(stranger.generation)")
        let client = member.client
        let name: Name = "\(self.prefix)-group-writer"
        let begun = try await ModelRun.settled(\InitProducerIDResponse.errorCode) {
            let request = InitProducerIDRequest(transactionalID: name, transactionTimeoutMs: 60_000)
            return try await client.ask(.initProducerID, request, InitProducerIDResponse.self)
        }
        try self.run.expect(begun.errorCode, among: [.none])
        let (id, epoch) = (begun.producerID, begun.producerEpoch)
        let added = try await ModelRun.settled(\AddOffsetsToTxnResponse.errorCode) { [group] in
            let request = AddOffsetsToTxnRequest(
                transactionalID: name,
                producerID: id,
                producerEpoch: epoch,
                groupID: group
            )
            return try await client.ask(.addOffsetsToTxn, request, AddOffsetsToTxnResponse.self)
        }
        try self.run.expect(added.errorCode, among: [.none])
        let held = TxnOffsetCommitRequest(
            transactionalID: name,
            groupID: self.group,
            producerID: id,
            producerEpoch: epoch,
            generationID: stranger.generation,
            memberID: stranger.id,
            groupInstanceID: stranger.instance,
            topics: [.init(name: self.topic, partitions: [.init(partitionIndex: 0, offset: offset, metadata: "")])]
        )
        let answer = try await ModelRun.settled(
            { (answer: TxnOffsetCommitResponse) in
                answer.topics[0].partitions[0].errorCode
            },
            { try await client.ask(.txnOffsetCommit, held, TxnOffsetCommitResponse.self) }
        )
        try self.run.expect(answer.topics[0].partitions[0].errorCode, among: [code])
        let ended = try await ModelRun.settled(\EndTxnResponse.errorCode) {
            let request = EndTxnRequest(
                transactionalID: name,
                producerID: id,
                producerEpoch: epoch,
                committed: isCommit
            )
            return try await client.ask(.endTxn, request, EndTxnResponse.self)
        }
        try self.run.expect(ended.errorCode, among: [.none])
        if code == .none, isCommit { self.committed = offset }
        try await self.compareOffset()
    }
}
