import IntentEvents
import IntentLab
import Testing

@Suite("A sorted map")
struct SortedMapTests {
    @Test("Setting, replacing and removing in any order gives what a dictionary gives", arguments: 1...20)
    func behavesLikeADictionary(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        var map = SortedMap<Int, Int>()
        var dictionary: [Int: Int] = [:]
        for step in 0..<300 {
            let key = Int.random(in: 0..<24, using: &numbers)
            let value = Int.random(in: 0..<3, using: &numbers) == 0 ? nil : step
            map[key] = value
            dictionary[key] = value
            #expect(Array(map.keys) == dictionary.keys.sorted())
            #expect((-1...24).allSatisfy { map[$0] == dictionary[$0] })
        }
        #expect(Array(map.values) == dictionary.sorted { $0.key < $1.key }.map(\.value))
        #expect(map == SortedMap(dictionary.map { (key: $0.key, value: $0.value) }))
    }

    @Test("Of two entries with one key the last counts, also when maps are merged")
    func lastEntryOfAKeyCounts() {
        #expect(["b": 1, "a": 2, "b": 3] as SortedMap == ["a": 2, "b": 3])
        var map: SortedMap = ["b": 1, "c": 2]
        map.merge(["a": 0, "c": 3])
        #expect(map == ["a": 0, "b": 1, "c": 3])
        var empty = SortedMap<String, Int>()
        empty.merge(map)
        #expect(empty == map)
        map.merge([:])
        #expect(empty == map)
        #expect(map.filter { $0.value > 0 } == ["b": 1, "c": 3])
        #expect(map != ["a": 0, "b": 1])
        #expect(map != ["a": 0, "b": 1, "d": 3])
        #expect(Set([map, empty]).count == 1)
        #expect(map.first?.key == "a")
        #expect(map[2].value == 3)
    }
}
