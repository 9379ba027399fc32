internal import CJemalloc

/// The process's allocator: jemalloc.
///
/// A stage's records are allocated on threads of the client library and freed on others, a thousand at a time. With the
/// C library's own allocator, a stage used a seventh more processor time for that.
enum MemoryAllocator {
    /// Its version, without the commit after it.
    static var version: String {
        var text: UnsafePointer<CChar>?
        var size = MemoryLayout.size(ofValue: text)
        guard mallctl("version", &text, &size, nil, 0) == 0, let text else { return "unknown" }
        return String(String(cString: text).prefix { $0 != "-" })
    }
}
