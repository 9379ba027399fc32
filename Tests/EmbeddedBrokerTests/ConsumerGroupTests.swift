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
        var count: UInt64 = 0

        mutating func apply(_ effects: [ConsumerGroup.Effect]) {
            for effect in effects {
                switch effect {
                case .joined(let token, let response): self.joined[token.sequence] = response
                case .synced(let token, let response): self.synced[token.sequence] = response
                }
            }
        }

        mutating func join(
            _ memberID: Name = "",
            instance: Name? = nil,
            protocols: [Name] = ["range"],
            requiresMemberID: Bool = false
        ) -> UInt64 {
            self.count += 1
            let request = JoinGroupRequest(
                groupID: "g",
                sessionTimeoutMs: 1_000,
                rebalanceTimeoutMs: 5_000,
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
                initialDelay: 0,
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

        mutating func heartbeat(_ memberID: Name, generation: Int32? = nil) -> ErrorCode {
            self.group.heartbeat(
                HeartbeatRequest(groupID: "g", generationID: generation ?? self.group.generation, memberID: memberID),
                at: self.now
            )
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

    @Test func theFirstMemberLeadsAtOnce() throws {
        var bench = Bench()
        let response = try #require(bench.joined[bench.join()])
        #expect(response.errorCode == .none && response.generationID == 1)
        #expect(response.leader == response.memberID)
        #expect(response.members.map(\.memberID) == ["m1"])
    }

    @Test func aNewMemberHasToComeBackWithItsID() throws {
        var bench = Bench()
        let refused = try #require(bench.joined[bench.join(requiresMemberID: true)])
        #expect(refused.errorCode == .memberIDRequired && refused.memberID == "m1")
        let accepted = try #require(bench.joined[bench.join("m1", requiresMemberID: true)])
        #expect(accepted.errorCode == .none)
        let unknown = try #require(bench.joined[bench.join("nobody", requiresMemberID: true)])
        #expect(unknown.errorCode == .unknownMemberID)
    }

    @Test func aSecondMemberRebalancesAndFollowersWaitForTheLeader() throws {
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

    @Test func aMemberThatDoesNotRejoinInTimeIsLeftBehind() throws {
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

    @Test func aSilentMemberLosesItsSession() {
        var bench = Bench.stablePair()
        bench.pass(600)
        #expect(bench.heartbeat("m1") == .none)
        bench.pass(600)
        #expect(bench.group.members.keys.sorted() == ["m1"])
        #expect(bench.heartbeat("m1") == .rebalanceInProgress)
    }

    @Test func aMemberThatLeavesRebalancesAndTheLastOneEmptiesTheGroup() {
        var bench = Bench.stablePair()
        #expect(bench.group.leave(memberID: "m3", instanceID: nil, at: bench.now).0 == .none)
        #expect(bench.group.stateName == "PreparingRebalance")
        #expect(bench.group.leave(memberID: "nobody", instanceID: nil, at: bench.now).0 == .unknownMemberID)
        _ = bench.join("m1")
        _ = bench.sync("m1", ["m1": "all"])
        #expect(bench.group.leave(memberID: "m1", instanceID: nil, at: bench.now).0 == .none)
        #expect(bench.group.stateName == "Empty")
    }

    @Test func aStaticMemberComesBackWithoutARebalanceAndFencesItsFormerSelf() throws {
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

    @Test func aStaticLeaderThatComesBackIsToldNotToAssign() throws {
        var bench = Bench.stablePair(instances: true)
        let response = try #require(bench.joined[bench.join(instance: "a")])
        #expect(response.skipAssignment && response.leader == response.memberID)
        #expect(response.members.count == 2)
    }

    @Test func theMostWantedCommonProtocolIsElected() throws {
        var bench = Bench()
        _ = bench.join(protocols: ["sticky", "range"])
        _ = bench.join(protocols: ["range", "roundrobin"])
        let response = try #require(bench.joined[bench.join("m1", protocols: ["sticky", "range"])])
        #expect(response.protocolName == "range")
        #expect(bench.joined[bench.join(protocols: ["other"])]?.errorCode == .inconsistentGroupProtocol)
    }

    @Test func whoDoesNotSyncInTimeIsLeftBehind() {
        var bench = Bench()
        _ = bench.join()
        _ = bench.join()
        _ = bench.join("m1")
        let waiting = bench.sync("m2")
        bench.pass(5_000)
        #expect(bench.synced[waiting]?.errorCode == .rebalanceInProgress)
        #expect(bench.group.members.keys.sorted() == ["m2"])
    }

    @Test func aSnapshotBringsAStableGroupBack() throws {
        let bench = Bench.stablePair(instances: true)
        let restored = try GroupSnapshot.group(id: "g", from: GroupSnapshot.bytes(of: bench.group), at: bench.now)
        #expect(restored.phase == .stable)
        #expect(restored.generation == bench.group.generation)
        #expect(restored.members == bench.group.members)
        #expect(restored.staticMembers == bench.group.staticMembers)
        #expect(restored.leader == bench.group.leader)
    }
}
