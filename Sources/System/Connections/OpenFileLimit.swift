#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The number of files and sockets that this process may have open.
package enum OpenFileLimit {
    /// What a process needs at most: the limits of all its servers, with the clients and files of its own.
    private static let enough: rlim_t = 65_536

    /// Raises the limit as far as the system allows without further rights.
    ///
    /// Most systems begin at 1,024 for the sake of programs that call `select`, which nothing here does. The limits of
    /// the servers' connections are beyond that, and hold only when sockets do not run out first.
    ///
    /// - Returns: The limit that applies now.
    @discardableResult
    package static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(self.resource, &limit) == 0 else { return 0 }
        let wanted = min(limit.rlim_max, self.enough)
        if limit.rlim_cur < wanted {
            let before = limit
            limit.rlim_cur = wanted
            if setrlimit(self.resource, &limit) != 0 { limit = before }
        }
        return Int(clamping: limit.rlim_cur)
    }

    #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    private static let resource = RLIMIT_NOFILE
    #endif
}
