import Testing

@testable import EmbeddedBroker
@testable import IntentFuzzing

@Suite("The cache of a partition's newest batches")
struct BatchCacheTests {
    /// A cache with that many batches of two records each, from offset 10 on.
    private static func cache(_ count: Int, limit: Int = .max) throws -> (cache: BatchCache, size: Int) {
        let batch = try RecordBatch.make(2)
        var cache = BatchCache(endOffset: 10)
        for index in 0..<count { cache.append(batch.placed(at: 10 + 2 * Int64(index)), limit: limit) }
        return (cache, batch.size)
    }

    private static func offsets(_ cache: BatchCache, from offset: Int64, maxBytes: Int = .max) -> [Int64]? {
        cache.read(from: offset, upTo: .max, maxBytes: maxBytes)?.map(\.header.baseOffset)
    }

    @Test("An appended batch is found by any offset that it contains; older offsets are not in memory")
    func findsBatchContainingOffset() throws {
        let (cache, size) = try Self.cache(4)
        #expect(cache.byteCount == 4 * size)
        #expect(Self.offsets(cache, from: 10) == [10, 12, 14, 16])
        #expect(Self.offsets(cache, from: 13) == [12, 14, 16])
        #expect(Self.offsets(cache, from: 18) == [])
        #expect(Self.offsets(cache, from: 9) == nil)
        #expect(Self.offsets(cache, from: 10, maxBytes: 2 * size) == [10, 12])
        #expect(Self.offsets(cache, from: 10, maxBytes: 1) == [10])
        #expect(cache.read(from: 10, upTo: 14, maxBytes: .max)?.count == 2)
        #expect(cache.read(from: 10, upTo: 10, maxBytes: .max)?.isEmpty == true)
    }

    @Test("Beyond the limit the oldest batches are evicted")
    func evictsOldestBeyondLimit() throws {
        let size = try RecordBatch.make(2).size
        for count in [3, 4, 100, 500] {
            let cache = try Self.cache(count, limit: 3 * size).cache
            let end = 10 + 2 * Int64(count)
            #expect(cache.byteCount == 3 * size)
            #expect(cache.firstOffset == end - 6)
            #expect(Self.offsets(cache, from: end - 6) == [end - 6, end - 4, end - 2])
        }
    }

    @Test("Batches below an offset are dropped once and counted once")
    func dropsBatchesBelowOffsetOnce() throws {
        let (made, size) = try Self.cache(6)
        var cache = made
        cache.drop(below: 14)
        #expect(cache.firstOffset == 14)
        #expect(cache.byteCount == 4 * size)
        #expect(Self.offsets(cache, from: 14) == [14, 16, 18, 20])
        cache.drop(below: 14)
        cache.drop(below: 12)
        #expect(cache.byteCount == 4 * size)
        cache.drop(below: 18)
        #expect(cache.byteCount == 2 * size)
        #expect(Self.offsets(cache, from: 18) == [18, 20])
        #expect(Self.offsets(cache, from: 17) == nil)
        cache.drop(below: 22)
        #expect(cache.byteCount == 0)
        cache.append(try RecordBatch.make(2).placed(at: 22), limit: .max)
        #expect(Self.offsets(cache, from: 22) == [22])
    }
}
