import IntentEvents
import Testing

@testable import IntentRuntime

@Suite("Checkpoints of a lane's file")
struct StateCheckpointTests {
    @Test("idle → asked, after enough changes → writing, at a commit → idle, when all is written (R6)")
    func checkpointCycle() {
        var checkpoint = StateCheckpoint(lag: 10)
        for round in 1...2 {
            let now = Duration.seconds(round * 10)
            #expect(!checkpoint.isDue(changes: 9, at: now))
            #expect(checkpoint.isDue(changes: 10, at: now))
            let early = checkpoint.recordCommitted()
            #expect(!early, "Nothing was asked before this commit.")
            checkpoint.begin(ends: [1: 7, 2: 8], at: now)
            #expect(!checkpoint.isDue(changes: 100, at: now))
            #expect(!checkpoint.isWriting, "Whose the partitions are is not shown yet.")
            let (shown, again) = (checkpoint.recordCommitted(), checkpoint.recordCommitted())
            #expect(shown)
            #expect(!again, "A later commit shows nothing new.")
            #expect(checkpoint.isWriting)
            let (ends, age) = checkpoint.finish(at: now + .seconds(3))
            #expect(ends == [1: 7, 2: 8])
            #expect(age == .seconds(3))
            #expect(!checkpoint.isWriting)
        }
    }

    @Test("asked, writing: a revoked partition is not marked valid")
    func revokedPartitionIsNotValid() {
        var checkpoint = StateCheckpoint(lag: 10)
        checkpoint.begin(ends: [1: 7, 2: 8, 3: 9], at: .zero)
        checkpoint.forget(partition: 1)
        let hasBegun = checkpoint.recordCommitted()
        #expect(hasBegun)
        checkpoint.forget(partition: 3)
        let ends = checkpoint.finish(at: .zero).ends
        #expect(ends == [2: 8])
        checkpoint.forget(partition: 2)
        #expect(!checkpoint.isWriting)
    }

    @Test(
        "idle: a checkpoint is made after a while however little has changed, counted from when the state was restored"
    )
    func checkpointsAfterAWhile() {
        var checkpoint = StateCheckpoint(lag: 10)
        #expect(!checkpoint.isAged(at: .seconds(100_000)), "There is no file, or nothing was read.")
        checkpoint.recordRestored(at: .seconds(100))
        checkpoint.recordRestored(at: .seconds(400))
        #expect(!checkpoint.isAged(at: .seconds(699)))
        #expect(checkpoint.isAged(at: .seconds(700)))
        checkpoint.postpone(at: .seconds(700))
        #expect(!checkpoint.isAged(at: .seconds(704)) && !checkpoint.isDue(changes: 10, at: .seconds(704)))
        #expect(checkpoint.isDue(changes: 0, at: .seconds(705)))
        checkpoint.begin(ends: [:], at: .seconds(705))
        _ = checkpoint.recordCommitted()
        _ = checkpoint.finish(at: .seconds(706))
        #expect(!checkpoint.isDue(changes: 0, at: .seconds(1_304)))
        #expect(checkpoint.isDue(changes: 0, at: .seconds(1_305)))
    }

    @Test("changed → due, when a checkpoint begins → saved, when it is written; changed again, it is written again")
    func writesEachChangeOnce() {
        var unsaved = UnsavedEntries()
        unsaved.record("a", user: "u1")
        unsaved.record("a", user: "u1")
        unsaved.record("b", user: "u2")
        #expect(unsaved.changes == 3)
        let early = unsaved.popDue(limit: 10)
        #expect(early.isEmpty, "Nothing is due before a checkpoint begins.")
        unsaved.makeDue()
        #expect(unsaved.changes == 0)
        unsaved.record("c", user: "u2")
        var taken: [UserID: [StateName]] = [:]
        while !unsaved.isNothingDue {
            let part = unsaved.popDue(limit: 1)
            #expect(part.count == 1)
            for (user, names) in part { taken[user] = names }
        }
        #expect(taken == ["u1": ["a"], "u2": ["b"]])
        unsaved.makeDue()
        let rest = unsaved.popDue(limit: 10)
        #expect(rest.map(\.names) == [["c"]])
    }

    @Test("Due entries are written in the order of users, in any number of parts")
    func writesDueEntriesInOrder() {
        var unsaved = UnsavedEntries()
        let users = (0..<200).map { UserID("u\(1_000 + $0)") }
        for user in users.shuffled() { unsaved.record("a", user: user) }
        unsaved.makeDue()
        var taken: [UserID] = []
        while taken.count < 90 { taken += unsaved.popDue(limit: 30).map(\.user) }
        #expect(taken == Array(users[..<90]))
        // A checkpoint that begins before the first one is complete covers everything that is left.
        unsaved.record("a", user: "u1001")
        unsaved.makeDue()
        while !unsaved.isNothingDue { taken += unsaved.popDue(limit: 30).map(\.user) }
        #expect(taken == Array(users[..<90]) + ["u1001"] + Array(users[90...]))
    }

    @Test("changed, due → saved, when the user is evicted: the checkpoint does not wait for their entries")
    func evictedUsersCountAsSaved() {
        var unsaved = UnsavedEntries()
        unsaved.record("a", user: "u1")
        unsaved.makeDue()
        unsaved.record("b", user: "u1")
        let (names, rest) = (unsaved.pop("u1"), unsaved.pop("u1"))
        #expect(names == ["a", "b"])
        #expect(rest.isEmpty)
        #expect(unsaved.isNothingDue)
        unsaved.makeDue()
        #expect(unsaved.isNothingDue)
    }

    @Test("due: a second checkpoint before the first one is complete waits for both")
    func overlappingCheckpointsWaitForBoth() {
        var unsaved = UnsavedEntries()
        unsaved.record("a", user: "u1")
        unsaved.makeDue()
        unsaved.record("b", user: "u1")
        unsaved.makeDue()
        let (taken, rest) = (unsaved.popDue(limit: 10), unsaved.popDue(limit: 10))
        #expect(taken.map(\.names) == [["a", "b"]])
        #expect(unsaved.isNothingDue)
        #expect(rest.isEmpty)
    }
}
