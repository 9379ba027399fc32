internal import CJemalloc

/// The process's allocator: jemalloc.
///
/// A stage's records are allocated on threads of the client library and given back on others, a thousand at a time. The
/// C library's own allocator took a seventh of a stage's processor time more for that.
enum MemoryAllocator {
    /// Its version, without the commit that stands behind it.
    static var version: String {
        var text: UnsafePointer<CChar>?
        var size = MemoryLayout.size(ofValue: text)
        guard mallctl("version", &text, &size, nil, 0) == 0, let text else { return "unknown" }
        return String(String(cString: text).prefix { $0 != "-" })
    }
}
