#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The processor time that this process has used: other processes influence it less than wall-clock time.
package enum ProcessorTime {
    /// Seconds in user and system mode, of all threads.
    package static var seconds: Double {
        var usage = rusage()
        #if canImport(Glibc)
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #else
        getrusage(RUSAGE_SELF, &usage)
        #endif
        return Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
