#if JEMALLOC
internal import CJemalloc
#endif

/// The process's allocator: jemalloc, or the C library's where `WITHOUT_JEMALLOC` was set for the build.
///
/// A stage's records are allocated on threads of the client library and freed on others, a thousand at a time. With the
/// C library's own allocator, a stage used a seventh more processor time for that.
enum MemoryAllocator {
    /// What it is, and jemalloc's version without the commit after it.
    static var description: String {
        #if JEMALLOC
        var text: UnsafePointer<CChar>?
        var size = MemoryLayout.size(ofValue: text)
        guard mallctl("version", &text, &size, nil, 0) == 0, let text else { return "jemalloc unknown" }
        return "jemalloc \(String(cString: text).prefix { $0 != "-" })"
        #else
        return "without jemalloc"
        #endif
    }
}
