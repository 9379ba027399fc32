#if JEMALLOC
import CJemalloc
import Testing

struct MemoryAllocatorTests {
    private static func option<Value: BitwiseCopyable>(_ name: String, _ value: Value) -> Value? {
        var (value, size) = (value, MemoryLayout<Value>.size)
        return mallctl(name, &value, &size, nil, 0) == 0 ? value : nil
    }

    @Test("Unused pages stay for a minute, but for those of large blocks")
    func unusedPagesStay() {
        #expect(Self.option("opt.dirty_decay_ms", 0) == 60_000)
        #expect(Self.option("opt.oversize_threshold", 0) == 8 << 20)
    }
}
#endif
