import IntentEvents
import Testing

@testable import IntentRuntime

@Suite("Restored entries on their way to the lane's file")
struct GatheredEntriesTests {
    private func entry(_ user: UserID, _ name: StateName, _ text: String?, partition: Int = 1) -> SpilledEntry {
        SpilledEntry(partition: partition, user: user, name: name, value: text.map { Array($0.utf8) })
    }

    @Test("Entries come in the order of users and names, and of each name the last one read (R6)")
    func ordersEntriesAndKeepsLast() {
        var gathered = GatheredEntries(limit: 100)
        let read = [
            entry("u2", "b", "1"), entry("u1", "b", "1"), entry("u2", "a", "1"), entry("u2", "b", nil),
            entry("u1", "b", "2"), entry("u1", "a", nil), entry("u1", "a", "3"),
        ]
        for entry in read { gathered.append(entry) }
        let taken = gathered.popLargest()
        #expect(taken?.partition == 1)
        #expect(
            taken?.entries
                == [entry("u1", "a", "3"), entry("u1", "b", "2"), entry("u2", "a", "1"), entry("u2", "b", nil)]
        )
        #expect(gathered.popLargest() == nil)
    }

    @Test("Beyond the limit the partition with the most entries is taken out, and no more than necessary")
    func releasesLargestPartitionBeyondLimit() {
        var gathered = GatheredEntries(limit: 8)
        for number in 0..<8 { gathered.append(entry("u\(number)", "a", "1", partition: number % 4 == 3 ? 3 : 5)) }
        #expect(gathered.popSurplus() == nil)
        gathered.append(entry("u8", "a", "1", partition: 3))
        let taken = gathered.popSurplus()
        #expect(taken?.partition == 5)
        #expect(taken?.entries.count == 6)
        #expect(gathered.popSurplus() == nil)
        #expect(gathered.popLargest()?.entries.map(\.user) == ["u3", "u7", "u8"])
    }
}
