import IntentLab
import NIOCore
import Testing

@testable import EmbeddedBroker

struct ConsumerGroupTests {
    /// A group whose clock the test sets and whose answers it sees.
    private struct Bench {
        var group = ConsumerGroup(id: "g")
        var now = BrokerTime(monotonic: 0, wall: 0)
        var joined: [UInt64: JoinGroupResponse] = [:]
        var synced: [UInt64: SyncGroupResponse] = [:]
        var answered: Set<UInt64> = []
        var twice: [UInt64] = []
        var count: UInt64 = 0

        mutating func apply(_ effects: [ConsumerGroup.Effect]) {
            for effect in effects {
                let sequence: UInt64
                switch effect {
                case .joined(let token, let response):
                    sequence = token.sequence
                    self.joined[sequence] = response
                case .synced(let token, let response):
                    sequence = token.sequence
                    self.synced[sequence] = response
                }
                if !self.answered.insert(sequence).inserted { self.twice.append(sequence) }
            }
        }

        mutating func join(
            _ memberID: Name = "",
            instance: Name? = nil,
            protocols: [Name] = ["range"],
            requiresMemberID: Bool = false,
            initialDelay: Int64 = 0,
            rebalanceTimeout: Int32 = 5_000
        ) -> UInt64 {
            self.count += 1
            let request = JoinGroupRequest(
                groupID: "g",
                sessionTimeoutMs: 1_000,
                rebalanceTimeoutMs: rebalanceTimeout,
                memberID: memberID,
                groupInstanceID: instance,
                protocolType: "consumer",
                protocols: protocols.map { .init(name: $0, metadata: ByteBuffer(string: "s")) }
            )
            let context = ConsumerGroup.JoinContext(
                token: ReplyToken(connection: 1, sequence: self.count),
                clientID: "c",
                clientHost: "h",
                requiresMemberID: requiresMemberID,
                knowsSkipAssignment: true,
                initialDelay: initialDelay,
                freshID: "m\(self.count)"
            )
            self.apply(self.group.join(request, context, at: self.now))
            return self.count
        }

        mutating func sync(_ memberID: Name, instance: Name? = nil, _ assignments: [Name: String] = [:]) -> UInt64 {
            self.count += 1
            let request = SyncGroupRequest(
                groupID: "g",
                generationID: self.group.generation,
                memberID: memberID,
                groupInstanceID: instance,
                assignments: assignments.map { .init(memberID: $0.key, assignment: ByteBuffer(string: $0.value)) }
            )
            let token = ReplyToken(connection: 1, sequence: self.count)
            self.apply(self.group.sync(request, token: token, at: self.now))
            return self.count
        }

        mutating func leave(_ memberID: Name) -> ErrorCode {
            let (code, effects) = self.group.leave(memberID: memberID, instanceID: nil, at: self.now)
            self.apply(effects)
            return code
        }

        mutating func heartbeat(_ memberID: Name, generation: Int32? = nil) -> ErrorCode {
            self.group.heartbeat(
                HeartbeatRequest(groupID: "g", generationID: generation ?? self.group.generation, memberID: memberID),
                at: self.now
            )
        }

        /// What must not be between two requests: a phase that waits for nobody, or an answer that was given twice or
        /// that nobody owes any more.
        var problems: [String] {
            var problems = self.twice.map { "request \($0) was answered twice" }
            let members = self.group.members.values
            let isComplete = self.group.pendingMembers.isEmpty && members.allSatisfy { $0.pendingJoin != nil }
            var isJoining = false
            if case .preparingRebalance = self.group.phase { isJoining = true }
            if isJoining, isComplete { problems.append("all have joined, and the join phase continues") }
            if !isJoining, members.contains(where: { $0.pendingJoin != nil }) {
                problems.append("a join waits outside of the join phase")
            }
            if self.group.phase == .stable, members.contains(where: { $0.pendingSync != nil }) {
                problems.append("a sync waits although there is an assignment")
            }
            if members.isEmpty != (self.group.phase == .empty), !isJoining {
                problems.append("\(members.count) members in \(self.group.stateName)")
            }
            let waiting = members.flatMap { [$0.pendingJoin?.sequence, $0.pendingSync?.sequence].compactMap(\.self) }
            let open = Set(1...max(1, self.count)).subtracting(self.answered)
            if self.count > 0, open != Set(waiting) { problems.append("\(open) are open, and \(waiting) are kept") }
            return problems
        }

        mutating func pass(_ milliseconds: Int64) {
            self.now.monotonic += milliseconds
            self.apply(self.group.tick(at: self.now))
        }

        /// Two stable members, `m1` the leader.
        static func stablePair(instances: Bool = false) -> Bench {
            var bench = Bench()
            let first = bench.join(instance: instances ? "a" : nil)
            _ = bench.sync("m1", instance: instances ? "a" : nil, ["m1": "all"])
            _ = first
            _ = bench.join(instance: instances ? "b" : nil)
            let second: Name = "m\(bench.count)"
            _ = bench.join("m1", instance: instances ? "a" : nil)
            _ = bench.sync(second, instance: instances ? "b" : nil)
            _ = bench.sync("m1", instance: instances ? "a" : nil, ["m1": "left", second: "right"])
            return bench
        }
    }

    @Test("A static member that leaves with its current member id is removed; one with an earlier id is fenced")
    func staticMemberLeavesByCurrentID() {
        var bench = Bench()
        let first = bench.join(instance: "i")
        let former = bench.joined[first]?.memberID ?? ""
        let second = bench.join(instance: "i")
        let current = bench.joined[second]?.memberID ?? ""
        #expect(former != current)
        #expect(bench.group.leave(memberID: former, instanceID: "i", at: bench.now).0 == .fencedInstanceID)
        #expect(bench.group.leave(memberID: current, instanceID: "i", at: bench.now).0 == .none)
        #expect(bench.group.members.isEmpty)
    }

    /// A stable group of two members; returns their ids, the leader's first.
    private static func stable(_ bench: inout Bench, instance: Name? = nil) -> (leader: Name, follower: Name) {
        let leader = bench.joined[bench.join()]?.memberID ?? ""
        let first = bench.join(instance: instance)
        _ = bench.join(leader)
        let follower = bench.joined[first]?.memberID ?? ""
        _ = bench.sync(follower, instance: instance)
        _ = bench.sync(leader, [leader: "a", follower: "b"])
        return (leader, follower)
    }

    @Test("A follower that rejoins without a reason is answered, and its session is renewed")
    func rejoinRenewsSession() {
        var bench = Bench()
        let (_, follower) = Self.stable(&bench)
        bench.now = BrokerTime(monotonic: 900, wall: 900)
        let again = bench.join(follower)
        #expect(bench.joined[again]?.errorCode == ErrorCode.none)
        bench.now = BrokerTime(monotonic: 1_500, wall: 1_500)
        bench.apply(bench.group.tick(at: bench.now))
        #expect(bench.group.members.keys.contains(follower))
    }

    @Test("The session of a member that waited for the others to join begins when they have")
    func sessionBeginsWithGeneration() {
        var bench = Bench()
        let (leader, follower) = Self.stable(&bench)
        let waiting = bench.join(leader, protocols: ["range", "roundrobin"])
        for _ in 1...3 {
            bench.pass(900)
            _ = bench.heartbeat(follower)
        }
        #expect(bench.joined[waiting] == nil)
        _ = bench.join(follower)
        #expect(bench.joined[waiting] != nil)
        bench.pass(900)
        #expect(bench.group.members.count == 2)
    }

    @Test("A member that rejoins with other protocols votes with those")
    func rejoinUpdatesProtocols() {
        var bench = Bench()
        let member = bench.joined[bench.join()]?.memberID ?? ""
        _ = bench.sync(member, [member: "a"])
        let again = bench.join(member, protocols: ["roundrobin"])
        #expect(bench.joined[again]?.protocolName == "roundrobin")
    }

    @Test("A static member that does not rejoin in time stays until its session ends; a dynamic one is removed")
    func keepsAbsentStaticMembersUntilSessionEnds() {
        for instance in ["i", nil] as [Name?] {
            var bench = Bench()
            let (leader, follower) = Self.stable(&bench, instance: instance)
            _ = bench.join(leader, protocols: ["range", "roundrobin"])
            // Both sessions go on; the follower only does not join.
            for step in 1...6 {
                bench.now = BrokerTime(monotonic: Int64(step) * 900, wall: Int64(step) * 900)
                _ = bench.heartbeat(follower)
                bench.apply(bench.group.tick(at: bench.now))
            }
            #expect(bench.group.members.keys.contains(follower) == (instance != nil))
        }
    }

    @Test("A join phase lasts as long as the longest rebalance timeout of a member")
    func theSlowestMemberIsWaitedFor() {
        var bench = Bench()
        let slow = bench.joined[bench.join()]?.memberID ?? ""
        _ = bench.sync(slow, [slow: "a"])
        let waiting = bench.join(rebalanceTimeout: 2_000)
        for _ in 1...5 {
            bench.pass(900)
            _ = bench.heartbeat(slow)
        }
        #expect(bench.joined[waiting] == nil)
        let again = bench.join(slow)
        #expect(bench.joined[again]?.members.count == 2 && bench.joined[waiting] != nil)
    }

    @Test("A static member that leaves frees its name; one that takes it later is new to the group")
    func aNameIsFreeAgain() {
        var bench = Bench.stablePair(instances: true)
        #expect(bench.group.leave(memberID: "", instanceID: "b", at: bench.now).0 == .none)
        #expect(bench.group.staticMembers == ["a": "m1"])
        let new = bench.join(instance: "b")
        _ = bench.join("m1", instance: "a")
        #expect(bench.joined[new]?.errorCode == ErrorCode.none && bench.group.members.count == 2)
    }

    @Test("The initial rebalance delay applies to empty groups only")
    func delaysEmptyGroupsOnly() {
        var bench = Bench()
        let member = bench.joined[bench.join()]?.memberID ?? ""
        _ = bench.sync(member, [member: "a"])
        let new = bench.join(initialDelay: 3_000)
        let again = bench.join(member)
        #expect(bench.joined[new] != nil && bench.joined[again] != nil)
    }

    @Test("A member id that is assigned and not used is forgotten after its session timeout")
    func forgetsUnusedMemberID() {
        var bench = Bench()
        bench.now = BrokerTime(monotonic: 500, wall: 500)
        _ = bench.join(requiresMemberID: true)
        #expect(bench.group.nextDeadline == 1_500)
        bench.now = BrokerTime(monotonic: 1_500, wall: 1_500)
        bench.apply(bench.group.tick(at: bench.now))
        #expect(bench.group.pendingMembers.isEmpty)
        #expect(bench.group.nextDeadline == nil)
    }

    @Test func firstMemberLeadsAtOnce() throws {
        var bench = Bench()
        let response = try #require(bench.joined[bench.join()])
        #expect(response.errorCode == .none && response.generationID == 1)
        #expect(response.leader == response.memberID)
        #expect(response.members.map(\.memberID) == ["m1"])
    }

    @Test func newMemberRejoinsWithItsID() throws {
        var bench = Bench()
        let refused = try #require(bench.joined[bench.join(requiresMemberID: true)])
        #expect(refused.errorCode == .memberIDRequired && refused.memberID == "m1")
        let accepted = try #require(bench.joined[bench.join("m1", requiresMemberID: true)])
        #expect(accepted.errorCode == .none)
        let unknown = try #require(bench.joined[bench.join("nobody", requiresMemberID: true)])
        #expect(unknown.errorCode == .unknownMemberID)
    }

    @Test func secondMemberRebalancesAndFollowersWait() throws {
        var bench = Bench()
        _ = bench.join()
        _ = bench.sync("m1", ["m1": "all"])
        let second = bench.join()
        #expect(bench.joined[second] == nil)
        #expect(bench.heartbeat("m1") == .rebalanceInProgress)
        let first = bench.join("m1")
        #expect(bench.joined[first]?.members.count == 2)
        #expect(bench.joined[second]?.generationID == 2)
        #expect(bench.joined[second]?.members.isEmpty == true)
        let follower = bench.sync("m3")
        #expect(bench.synced[follower] == nil)
        let leader = bench.sync("m1", ["m1": "left", "m3": "right"])
        #expect(bench.synced[leader].map { String(buffer: $0.assignment) } == "left")
        #expect(bench.synced[follower].map { String(buffer: $0.assignment) } == "right")
        #expect(bench.group.phase == .stable)
        #expect(bench.heartbeat("m1", generation: 1) == .illegalGeneration)
        #expect(bench.heartbeat("m1") == .none)
    }

    @Test func rebalanceDoesNotWaitForDepartedMember() throws {
        var bench = Bench.stablePair()
        let newcomer = try #require(bench.joined[bench.join(requiresMemberID: true)])
        #expect(newcomer.errorCode == .memberIDRequired)
        // The leader's new subscription begins a join phase, which waits for the newcomer, too (KIP-394).
        let leader = bench.join("m1", protocols: ["range", "sticky"])
        let follower = bench.join("m3")
        #expect(bench.joined[leader] == nil && bench.joined[follower] == nil)
        #expect(bench.leave(newcomer.memberID) == .none)
        #expect(bench.joined[leader]?.members.map(\.memberID) == ["m1", "m3"])
        #expect(bench.joined[follower]?.errorCode == ErrorCode.none)
        #expect(bench.joined[bench.join(newcomer.memberID)]?.errorCode == .unknownMemberID)
    }

    @Test(arguments: 0..<40)
    func rebalanceEndsWhenAllHaveJoined(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        var bench = Bench()
        // Every id that was ever handed out, also those that are no members any more.
        var ids: [Name] = ["nobody"]
        for step in 0..<200 {
            let id = numbers.pick(ids)
            let asked = bench.count
            switch numbers.below(8) {
            case 0: _ = bench.join(requiresMemberID: numbers.chance(70))
            case 1, 2: _ = bench.join(id, protocols: numbers.oneIn(4) ? ["range", "sticky"] : ["range"])
            case 3: _ = bench.leave(id)
            case 4, 5: _ = bench.sync(numbers.coin() ? id : bench.group.leader ?? id, ["m1": "all"])
            case 6: _ = bench.heartbeat(id)
            default: bench.pass(Int64(numbers.below(700)))
            }
            if bench.count > asked { ids.append("m\(bench.count)") }
            let problems = bench.problems
            #expect(problems.isEmpty, "step \(step): \(problems)")
            if !problems.isEmpty { return }
        }
    }

    @Test func dropsMemberThatDoesNotRejoinInTime() throws {
        var bench = Bench()
        _ = bench.join()
        _ = bench.sync("m1", ["m1": "all"])
        let second = bench.join()
        #expect(bench.group.nextDeadline == 1_000)
        bench.pass(1_000)
        #expect(bench.joined[second]?.leader == "m3")
        #expect(bench.group.members.keys.sorted() == ["m3"])
        #expect(bench.heartbeat("m1") == .unknownMemberID)
    }

    @Test func silentMemberLosesItsSession() {
        var bench = Bench.stablePair()
        bench.pass(600)
        #expect(bench.heartbeat("m1") == .none)
        bench.pass(600)
        #expect(bench.group.members.keys.sorted() == ["m1"])
        #expect(bench.heartbeat("m1") == .rebalanceInProgress)
    }

    @Test func leavingRebalancesAndEmptiesGroup() {
        var bench = Bench.stablePair()
        #expect(bench.group.leave(memberID: "m3", instanceID: nil, at: bench.now).0 == .none)
        #expect(bench.group.stateName == "PreparingRebalance")
        #expect(bench.group.leave(memberID: "nobody", instanceID: nil, at: bench.now).0 == .unknownMemberID)
        _ = bench.join("m1")
        _ = bench.sync("m1", ["m1": "all"])
        #expect(bench.group.leave(memberID: "m1", instanceID: nil, at: bench.now).0 == .none)
        #expect(bench.group.stateName == "Empty")
    }

    @Test func staticMemberReturnsWithoutRebalanceAndFencesOld() throws {
        var bench = Bench.stablePair(instances: true)
        let generation = bench.group.generation
        let old = try #require(bench.group.staticMembers["b"])
        let token = bench.join(instance: "b")
        let response = try #require(bench.joined[token])
        #expect(response.errorCode == .none && response.generationID == generation)
        #expect(response.memberID != old)
        #expect(bench.group.phase == .stable)
        let sync = bench.sync(response.memberID, instance: "b")
        #expect(bench.synced[sync].map { String(buffer: $0.assignment) } == "right")
        let zombie = bench.join(old, instance: "b")
        #expect(bench.joined[zombie]?.errorCode == .fencedInstanceID)
        #expect(bench.group.refusal(memberID: old, instanceID: "b") == .fencedInstanceID)
    }

    @Test func returningStaticLeaderDoesNotAssign() throws {
        var bench = Bench.stablePair(instances: true)
        let response = try #require(bench.joined[bench.join(instance: "a")])
        #expect(response.skipAssignment && response.leader == response.memberID)
        #expect(response.members.count == 2)
    }

    @Test func electsMostWantedCommonProtocol() throws {
        var bench = Bench()
        _ = bench.join(protocols: ["sticky", "range"])
        _ = bench.join(protocols: ["range", "roundrobin"])
        let response = try #require(bench.joined[bench.join("m1", protocols: ["sticky", "range"])])
        #expect(response.protocolName == "range")
        #expect(bench.joined[bench.join(protocols: ["other"])]?.errorCode == .inconsistentGroupProtocol)
    }

    @Test func dropsMemberThatDoesNotSyncInTime() {
        var bench = Bench()
        _ = bench.join()
        _ = bench.join()
        _ = bench.join("m1")
        let waiting = bench.sync("m2")
        bench.pass(5_000)
        #expect(bench.synced[waiting]?.errorCode == .rebalanceInProgress)
        #expect(bench.group.members.keys.sorted() == ["m2"])
    }

    @Test func snapshotRestoresStableGroup() throws {
        let bench = Bench.stablePair(instances: true)
        let restored = try GroupSnapshot.group(id: "g", from: GroupSnapshot.bytes(of: bench.group), at: bench.now)
        #expect(restored.phase == .stable)
        #expect(restored.generation == bench.group.generation)
        #expect(restored.members == bench.group.members)
        #expect(restored.staticMembers == bench.group.staticMembers)
        #expect(restored.leader == bench.group.leader)
    }
}
